// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What Graph A* (graph.hpp) keeps about the nodes of a user's graph, outside of that graph.
//
//   Node ── name() ──> slot ──> GraphRecord {g, h, parent, stamp}
//
// A slot is a small number that stands for a node during one query. In a dense graph it is the
// node's own index (DenseNodes); otherwise the nodes are numbered in the order in which the search
// meets them, through an open-addressing table (HashNodes).
//
// Nothing is cleared between queries: every record and table cell carries the number of the query
// that wrote it last, and what an older query wrote counts as empty. When the numbers run out, all
// is cleared once. Nodes that are not trivial live in pages that never move, so that references
// handed to the user's functions stay good while new nodes are met. The open list is here as well.
//
// Owner: one GraphSearcher, one thread.

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "octile/detail/buffer.hpp"
#include "octile/detail/heap.hpp"

namespace octile::detail {

// ---------------------------------------------------------------------------------------------
// Numbers

// What costs are summed up in: unsigned, with a spare bit, so that g + h of sums that fit cannot
// wrap around; or the floating-point type itself.
template <class Cost>
using GraphSum = std::conditional_t<
    std::is_floating_point_v<Cost>, Cost,
    std::conditional_t<(std::numeric_limits<Cost>::digits <= 31), uint32_t, uint64_t>>;

// The largest sum; best_first() has the same.
template <class Sum>
inline constexpr Sum kMostSum = std::is_integral_v<Sum>
                                    ? static_cast<Sum>(std::numeric_limits<Sum>::max() / 2)
                                    : std::numeric_limits<Sum>::max();

template <class C>
constexpr bool is_nan(C c) noexcept {
  if constexpr (std::is_floating_point_v<C>) return c != c;
  return false;
}
template <class C>
constexpr bool is_infinite(C c) noexcept {
  if constexpr (std::is_floating_point_v<C>) return c > std::numeric_limits<C>::max();
  return false;
}
// c > most, for c that is 0 or more, whatever the two types.
template <class C, class Sum>
constexpr bool exceeds(C c, Sum most) noexcept {
  if constexpr (std::is_floating_point_v<C>) {
    return c > static_cast<std::common_type_t<C, Sum>>(most);
  } else if constexpr (std::is_floating_point_v<Sum>) {
    return false;
  } else {
    return static_cast<uint64_t>(c) > static_cast<uint64_t>(most);
  }
}
// An estimate as a Sum: never above the estimate itself, so that it stays a lower bound. Infinity
// becomes something above kMostSum.
template <class Sum, class H>
constexpr Sum to_estimate(H h) noexcept {
  constexpr Sum most = kMostSum<Sum>;
  if (!(h > H{})) return Sum{};
  if (is_infinite(h)) {
    return std::is_integral_v<Sum> ? std::numeric_limits<Sum>::max()
                                   : std::numeric_limits<Sum>::infinity();
  }
  if constexpr (std::is_floating_point_v<H>) {
    // `most` may round up when it becomes an H, hence < and not <=.
    if (!(h < static_cast<std::common_type_t<H, Sum>>(most))) return most;
  } else {
    if (exceeds(h, most)) return most;
  }
  return static_cast<Sum>(h);
}
// For observers: sums that the search has let pass fit, but for a start of which too much is asked.
template <class Cost, class Sum>
constexpr Cost to_cost(Sum sum) noexcept {
  if constexpr (std::is_integral_v<Sum>) {
    constexpr auto most = static_cast<uint64_t>(std::numeric_limits<Cost>::max());
    if (sum > most) return std::numeric_limits<Cost>::max();
  }
  return static_cast<Cost>(sum);
}
template <class Sum>
Sum just_above(Sum sum) noexcept {
  if constexpr (std::is_integral_v<Sum>) {
    return static_cast<Sum>(sum + 1);
  } else {
    return std::nextafter(sum, std::numeric_limits<Sum>::max());
  }
}
// With floating-point costs g + h may be rounded up along a path whose cost is exactly the limit.
template <class Sum>
Sum just_above_with_room(Sum limit) noexcept {
  const Sum above = just_above(limit);
  if constexpr (std::is_floating_point_v<Sum>) {
    constexpr Sum most = std::numeric_limits<Sum>::max();
    constexpr Sum room = 1024 * std::numeric_limits<Sum>::epsilon();
    if (limit >= most / 2) return most;
    const Sum roomy = limit + limit * room;
    return above > roomy ? above : roomy;
  }
  return above;
}

// ---------------------------------------------------------------------------------------------
// Storage for nodes of any type

template <class T>
struct alignas(T) Raw {
  unsigned char bytes[sizeof(T)];
};
template <class T>
const T* object_at(const Raw<T>* raw) noexcept {
  return std::launder(reinterpret_cast<const T*>(raw));
}

// A list of known length: the nodes of a path.
template <class Node>
class NodeList {
 public:
  NodeList() noexcept = default;
  NodeList(NodeList&& other) noexcept { swap(other); }
  NodeList& operator=(NodeList&& other) noexcept {
    swap(other);
    return *this;
  }
  ~NodeList() { clear(); }

  const Node* data() const noexcept { return size_ ? object_at<Node>(raw_.data()) : nullptr; }
  size_t size() const noexcept { return size_; }
  void clear() noexcept {
    if constexpr (!std::is_trivially_destructible_v<Node>) {
      for (size_t i = 0; i < size_; ++i) object_at<Node>(raw_.data() + i)->~Node();
    }
    size_ = 0;
    raw_.clear();  // so that growth moves nothing
  }
  // An empty list becomes one of n nodes: at(i) gives the node with number i, asked from the last
  // to the first. False when memory is short.
  template <class At>
  bool fill_backwards(size_t n, const At& at) noexcept {
    if (!raw_.resize(n)) return false;
    for (size_t i = n; i-- > 0;) ::new (static_cast<void*>(raw_.data() + i)) Node(at(i));
    size_ = n;
    return true;
  }

 private:
  void swap(NodeList& other) noexcept {
    raw_.swap(other.raw_);
    std::swap(size_, other.size_);
  }

  Buffer<Raw<Node>> raw_;
  size_t size_ = 0;
};

// A growing list whose elements never move: page k holds 64 * 2^k of them.
template <class Node>
class NodePages {
 public:
  NodePages() noexcept = default;
  NodePages(NodePages&& other) noexcept { swap(other); }
  NodePages& operator=(NodePages&& other) noexcept {
    swap(other);
    return *this;
  }
  ~NodePages() { clear(); }

  uint32_t size() const noexcept { return size_; }
  const Node& operator[](uint32_t i) const noexcept {
    const Place place(i);
    return *object_at<Node>(pages_[place.page].data() + place.offset);
  }
  bool push(const Node& node) noexcept {
    if (size_ == kMostNodes) return false;
    const Place place(size_);
    if (!pages_[place.page].resize(size_t{kFirst} << place.page)) return false;
    ::new (static_cast<void*>(pages_[place.page].data() + place.offset)) Node(node);
    ++size_;
    return true;
  }
  void clear() noexcept {
    if constexpr (!std::is_trivially_destructible_v<Node>) {
      for (uint32_t i = 0; i < size_; ++i) (*this)[i].~Node();
    }
    size_ = 0;
  }
  void release() noexcept {
    clear();
    for (auto& page : pages_) page.release();
  }
  size_t bytes() const noexcept {
    size_t sum = 0;
    for (const auto& page : pages_) sum += page.bytes();
    return sum;
  }

 private:
  static constexpr uint32_t kFirst = 64;
  static constexpr uint32_t kMostNodes = 0xfffffffe;
  struct Place {
    uint32_t page;
    size_t offset;
    explicit Place(uint32_t i) noexcept {
      const uint64_t n = uint64_t{i} + kFirst;
      page = static_cast<uint32_t>(std::bit_width(n)) - 7;
      offset = static_cast<size_t>(n - (uint64_t{kFirst} << page));
    }
  };
  void swap(NodePages& other) noexcept {
    for (size_t i = 0; i < kPages; ++i) pages_[i].swap(other.pages_[i]);
    std::swap(size_, other.size_);
  }

  static constexpr size_t kPages = 27;
  Buffer<Raw<Node>> pages_[kPages];
  uint32_t size_ = 0;
};

// ---------------------------------------------------------------------------------------------
// Asking the user's graph

// Stands for what for_each_neighbour() is given, where only its shape matters.
template <class Node>
struct AnyVisit {
  template <class C>
  void operator()(const Node&, C) const noexcept {}
};

template <class G>
bool graph_passable(const G& graph, const typename G::Node& node) noexcept {
  if constexpr (requires { graph.passable(node); }) {
    return graph.passable(node);
  } else {
    return true;
  }
}

// Mixed, since std::hash of a number is often the number itself.
template <class G>
uint32_t graph_hash(const G& graph, const typename G::Node& node) noexcept {
  using Node = typename G::Node;
  uint64_t x = 0;
  if constexpr (requires { graph.hash(node); }) {
    x = static_cast<uint64_t>(graph.hash(node));
  } else if constexpr (requires { std::hash<Node>{}(node); }) {
    x = static_cast<uint64_t>(std::hash<Node>{}(node));
  } else {
    static_assert(std::has_unique_object_representations_v<Node>,
                  "give the graph a member  size_t hash(const Node&) const");
    const auto* bytes = reinterpret_cast<const unsigned char*>(&node);
    x = 0xcbf29ce484222325;
    for (size_t i = 0; i < sizeof(Node); ++i) x = (x ^ bytes[i]) * 0x100000001b3;
  }
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>(x >> 32);
}

template <class Node>
inline constexpr bool kOwnNumber = (std::is_integral_v<Node> ||
                                    std::is_enum_v<Node>)&&!std::same_as<Node, bool>;

template <class G>
concept HasIndex = requires(const G& graph, const typename G::Node& node) {
  graph.index(node);
};

template <class G>
concept DenseGraph = (HasIndex<G> || kOwnNumber<typename G::Node>)&&requires(const G& graph) {
  graph.node_count();
};

// ---------------------------------------------------------------------------------------------
// Records

enum class Naming : uint8_t { named, outside, out_of_memory };

template <class Sum>
struct GraphRecord {
  Sum g;            // cost of the cheapest way known from the start; valid when reached
  Sum h;            // the estimate, asked once per query; valid when valued
  uint32_t parent;  // slot of the node before, kNoSlot for the start
  uint32_t stamp;   // query number * 32 + flags
};

// What both kinds share: the `Nodes` of best_first().
template <class Sum>
class GraphRecords {
 public:
  using Record = GraphRecord<Sum>;
  static constexpr uint32_t kNoSlot = 0xffffffff;

  GraphRecords() noexcept = default;
  // Moves swap: the number of the query stays with the records that it stamped.
  GraphRecords(GraphRecords&& other) noexcept { *this = std::move(other); }
  GraphRecords& operator=(GraphRecords&& other) noexcept {
    records_.swap(other.records_);
    std::swap(query_, other.query_);
    std::swap(left_out_, other.left_out_);
    return *this;
  }

  Record& record(uint32_t slot) noexcept { return records_[slot]; }
  const Record& record(uint32_t slot) const noexcept { return records_[slot]; }

  bool valued(uint32_t slot) const noexcept { return records_[slot].stamp & kValued; }
  void set_value(uint32_t slot, Sum h) noexcept {
    records_[slot].h = h;
    records_[slot].stamp |= kValued;
  }
  bool is_goal(uint32_t slot) const noexcept { return records_[slot].stamp & kGoal; }
  void mark_goal(uint32_t slot) noexcept { records_[slot].stamp |= kGoal; }

  Record* reach(uint32_t slot) noexcept { return &records_[slot]; }
  bool fresh(const Record& record) const noexcept { return !(record.stamp & kReached); }
  bool closed(const Record& record) const noexcept { return record.stamp & kClosed; }
  void open(Record& record, Sum g, uint32_t parent) noexcept {
    record.g = g;
    record.parent = parent;
    left_out_ -= (record.stamp & kLeftOut) != 0;
    record.stamp = (record.stamp | kReached) & ~(kClosed | kLeftOut);
  }
  void close(Record& record) noexcept { record.stamp |= kClosed; }

  // A way to this node was too long to be followed. Nodes that no other way has reached by the end
  // make the difference between "no path" and "no path within the limit".
  void leave_out(uint32_t slot) noexcept {
    Record& record = records_[slot];
    if (record.stamp & (kReached | kLeftOut)) return;
    record.stamp |= kLeftOut;
    ++left_out_;
  }
  uint32_t left_out() const noexcept { return left_out_; }

 protected:
  static constexpr uint32_t kGoal = 1, kValued = 2, kReached = 4, kClosed = 8, kLeftOut = 16;
  static constexpr uint32_t kQueryShift = 5;
  static constexpr uint32_t kLastQuery = 0xffffffff >> kQueryShift;

  uint32_t new_stamp() const noexcept { return query_ << kQueryShift; }
  bool current(const Record& record) const noexcept {
    return record.stamp >> kQueryShift == query_;
  }

  Buffer<Record> records_;
  uint32_t query_ = 0;  // the number of this query; 0 is "never"
  uint32_t left_out_ = 0;
};

// Slots are indices. Memory: one record a node, and the Node where it is not its own number.
template <class G>
class DenseNodes : public GraphRecords<GraphSum<typename G::Cost>> {
 public:
  using Node = typename G::Node;
  using Base = GraphRecords<GraphSum<typename G::Cost>>;
  using Record = typename Base::Record;
  static_assert(std::is_trivially_destructible_v<Node>,
                "a graph with index() needs Nodes that are trivially destructible");

  Naming begin(const G& graph) noexcept {
    const auto count = static_cast<uint64_t>(graph.node_count());
    if (count > Base::kNoSlot - 1) return Naming::outside;
    const size_t n = static_cast<size_t>(count);
    const size_t old = this->records_.size();
    if (old < n) {
      if (!kOwn && !nodes_.resize(n)) return Naming::out_of_memory;
      if (!this->records_.resize(n)) return Naming::out_of_memory;
      for (size_t i = old; i < n; ++i) this->records_[i].stamp = 0;
    }
    count_ = static_cast<uint32_t>(n);
    if (this->query_ == Base::kLastQuery) {
      for (Record& record : this->records_) record.stamp = 0;
      this->query_ = 0;
    }
    ++this->query_;
    this->left_out_ = 0;
    return Naming::named;
  }

  Naming name(const G& graph, const Node& node, uint32_t* slot) noexcept {
    uint64_t i = 0;
    if constexpr (HasIndex<G>) {
      i = static_cast<uint64_t>(graph.index(node));
    } else {
      i = static_cast<uint64_t>(node);  // negative numbers become very large ones
    }
    if (i >= count_) return Naming::outside;
    *slot = static_cast<uint32_t>(i);
    Record& record = this->records_[*slot];
    if (!this->current(record)) {
      record.stamp = this->new_stamp();
      if constexpr (!kOwn) ::new (static_cast<void*>(nodes_.data() + *slot)) Node(node);
    }
    return Naming::named;
  }

  decltype(auto) node(uint32_t slot) const noexcept {
    if constexpr (kOwn) {
      return static_cast<Node>(slot);
    } else {
      return static_cast<const Node&>(*object_at<Node>(nodes_.data() + slot));
    }
  }

  size_t bytes() const noexcept { return this->records_.bytes() + nodes_.bytes(); }
  void release() noexcept {
    this->records_.release();
    nodes_.release();
    count_ = 0;
  }

 private:
  static constexpr bool kOwn = !HasIndex<G>;
  Buffer<Raw<Node>> nodes_;
  uint32_t count_ = 0;
};

// Slots are numbers in the order of meeting. Memory: a record, a Node and 24 to 48 bytes of table
// for each node met; grows by doubling at half load.
template <class G>
class HashNodes : public GraphRecords<GraphSum<typename G::Cost>> {
 public:
  using Node = typename G::Node;
  using Base = GraphRecords<GraphSum<typename G::Cost>>;

  Naming begin(const G&) noexcept {
    nodes_.clear();
    this->records_.clear();
    if (this->query_ == Base::kLastQuery) {
      for (TableCell& cell : table_) cell.query = 0;
      this->query_ = 0;
    }
    ++this->query_;
    this->left_out_ = 0;
    return Naming::named;
  }

  Naming name(const G& graph, const Node& node, uint32_t* slot) noexcept {
    if (size_t{nodes_.size()} * 2 >= table_.size() && !grow()) return Naming::out_of_memory;
    const uint32_t hash = graph_hash(graph, node);
    const size_t mask = table_.size() - 1;
    size_t i = hash & mask;
    for (; table_[i].query == this->query_; i = (i + 1) & mask) {
      if (table_[i].hash == hash && nodes_[table_[i].slot] == node) {
        *slot = table_[i].slot;
        return Naming::named;
      }
    }
    const uint32_t fresh = nodes_.size();
    if (!this->records_.push({{}, {}, Base::kNoSlot, this->new_stamp()})) {
      return Naming::out_of_memory;
    }
    if (!nodes_.push(node)) {
      this->records_.pop();
      return Naming::out_of_memory;
    }
    table_[i] = {this->query_, hash, fresh};
    *slot = fresh;
    return Naming::named;
  }

  const Node& node(uint32_t slot) const noexcept { return nodes_[slot]; }

  size_t bytes() const noexcept { return this->records_.bytes() + nodes_.bytes() + table_.bytes(); }
  void release() noexcept {
    this->records_.release();
    nodes_.release();
    table_.release();
  }

 private:
  struct TableCell {
    uint32_t query;  // the query that wrote the cell; an older one: empty
    uint32_t hash;
    uint32_t slot;
  };

  bool grow() noexcept {
    Buffer<TableCell> larger;
    const size_t size = table_.size() < 64 ? 64 : table_.size() * 2;
    if (!larger.assign(size, TableCell{0, 0, 0})) return false;
    for (const TableCell& cell : table_) {
      if (cell.query != this->query_) continue;
      size_t i = cell.hash & (size - 1);
      while (larger[i].query == this->query_) i = (i + 1) & (size - 1);
      larger[i] = cell;
    }
    table_.swap(larger);
    return true;
  }

  NodePages<Node> nodes_;
  Buffer<TableCell> table_;
};

// ---------------------------------------------------------------------------------------------
// The open list

// Low f, then high g, then first in: a total order. There is no decrease-key: a node that is
// reached again is pushed again, and the entry that comes up later is dropped as stale.
template <class Sum>
class GraphOpen {
 public:
  bool push(Sum f, Sum g, uint32_t slot) noexcept { return heap_.push({f, g, order_++}, slot); }
  bool pop(Sum bound, uint32_t* slot) noexcept {
    if (stopped || !below(bound)) return false;
    *slot = heap_.pop().id;
    return true;
  }
  bool below(Sum bound) const noexcept { return !heap_.empty() && heap_.top().key.f < bound; }
  // Takes entries out that have been overtaken.
  template <class Nodes>
  void drop_stale(const Nodes& nodes) noexcept {
    while (!heap_.empty() && nodes.closed(nodes.record(heap_.top().id))) heap_.pop();
  }
  void clear() noexcept {
    heap_.clear();
    order_ = 0;
    stopped = false;
  }
  void release() noexcept { heap_.release(); }
  size_t bytes() const noexcept { return heap_.bytes(); }

  bool stopped = false;  // gives nothing out any more, so that the loop ends

 private:
  struct Key {
    Sum f;
    Sum g;
    uint64_t order;
    friend bool operator<(const Key& a, const Key& b) noexcept {
      if (a.f != b.f) return a.f < b.f;
      if (a.g != b.g) return a.g > b.g;
      return a.order < b.order;
    }
  };
  Heap<Key> heap_;
  uint64_t order_ = 0;
};

template <class G>
struct ChooseNodes {
  static_assert(!HasIndex<G> || DenseGraph<G>, "a graph with index() has node_count() as well");
  using type = HashNodes<G>;
};
template <DenseGraph G>
struct ChooseNodes<G> {
  using type = DenseNodes<G>;
};
template <class G>
using GraphNodes = typename ChooseNodes<G>::type;

}  // namespace octile::detail
