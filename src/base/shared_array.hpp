// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A flat array that versions share: what one version changes costs the change, not the array.
//
//   version n      body n      value[0 .. size), which places differ from those of body n - 1
//   version n + 1  body n + 1  made from body n - 1 where nobody reads that any more: two lists of
//                              changes are brought in; otherwise copied
//
// A handle shares a body by share(). To write, own() gives it a body of its own; what was shared
// goes into the writer's Spare, to become a later version. Reading is one load, as from any array.
// One writer; other threads may read, copy and drop the handles they have. A body is written only
// while unique() (counted.hpp says why that is enough).

#include <utility>

#include "base/counted.hpp"
#include "octile/detail/buffer.hpp"

namespace octile {

template <class T>
class SharedArray {
  struct Body : Counted {
    detail::Buffer<T> value;
    detail::Buffer<uint32_t> changed;  // with repetitions, as far as there is room
    const Body* before = nullptr;      // what `changed` compares with: only to be recognised
  };

 public:
  // The body before the present one, for the writer to use again.
  class Spare {
   public:
    Spare() noexcept = default;
    ~Spare() { drop(body_); }
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    void forget() noexcept {
      drop(body_);
      body_ = nullptr;
    }

   private:
    friend class SharedArray;
    Body* body_ = nullptr;
  };

  SharedArray() noexcept = default;
  ~SharedArray() { drop(body_); }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  const T& operator[](size_t i) const noexcept { return data_[i]; }
  const T* data() const noexcept { return data_; }
  size_t size() const noexcept { return body_ ? body_->value.size() : 0; }
  size_t bytes() const noexcept { return body_ ? body_->value.bytes() : 0; }

  void share(const SharedArray& other) noexcept {
    if (other.body_) other.body_->take();
    drop(body_);
    body_ = other.body_;
    data_ = other.data_;
  }
  void swap(SharedArray& other) noexcept {
    std::swap(body_, other.body_);
    std::swap(data_, other.data_);
  }
  void release() noexcept {
    drop(body_);
    body_ = nullptr;
    data_ = nullptr;
  }

  // All of these: false when memory is short; the array is then as before.
  bool assign(size_t n, const T& value) noexcept {
    SharedArray fresh;
    fresh.body_ = new (std::nothrow) Body;
    if (!fresh.body_ || !fresh.body_->value.assign(n, value)) return false;
    fresh.data_ = fresh.body_->value.data();
    swap(fresh);
    return true;
  }
  // Takes over the values.
  bool adopt(detail::Buffer<T>* values) noexcept {
    Body* fresh = new (std::nothrow) Body;
    if (!fresh) return false;
    fresh->value.swap(*values);
    drop(body_);
    body_ = fresh;
    data_ = fresh->value.data();
    return true;
  }
  // True when nobody else has the present body.
  bool owned() const noexcept { return body_->unique(); }
  // True when own() would bring the spare body up to date, which takes the places in changed().
  bool fits(const Spare& spare) const noexcept {
    return spare.body_ && spare.body_ == body_->before && spare.body_->unique();
  }
  // Gives the spare a body that differs in nothing. The present one must be nobody else's.
  bool prepare(Spare* spare) noexcept {
    drop(spare->body_);
    spare->body_ = nullptr;
    if (!body_->changed.reserve(most_changes(body_->value.size()))) return false;
    Body* before = new (std::nothrow) Body;
    if (!before || !copy(before)) {
      delete before;
      return false;
    }
    body_->changed.clear();
    body_->before = before;
    spare->body_ = before;
    return true;
  }
  // Asks for the memory that set() of a new version will write.
  [[gnu::always_inline]] inline void ask_for(size_t i, const Spare& spare) const noexcept {
    __builtin_prefetch(data_ + i, 1);
    if (spare.body_) __builtin_prefetch(spare.body_->value.data() + i, 1);
  }
  const detail::Buffer<uint32_t>& changed() const noexcept { return body_->changed; }
  // False when so much was changed that the body before will be of no use.
  bool listed() const noexcept { return body_->before != nullptr; }
  bool own(Spare* spare) noexcept {
    if (body_->unique()) return true;
    const bool again = spare && fits(*spare);
    Body* next = again ? spare->body_ : new (std::nothrow) Body;
    if (!next || !(again ? catch_up(next) : copy(next))) {
      if (!again) delete next;
      return false;
    }
    if (again) spare->body_ = nullptr;
    next->before = body_;
    next->changed.clear();  // its room stays
    if (spare) {
      drop(spare->body_);
      spare->body_ = body_;
    } else {
      drop(body_);
    }
    body_ = next;
    data_ = next->value.data();
    return true;
  }

  // After own().
  void set(size_t i, const T& value) noexcept {
    body_->value[i] = value;
    note(i);
  }
  bool push(const T& value) noexcept {
    if (!body_->value.push(value)) return false;
    data_ = body_->value.data();
    note(body_->value.size() - 1);
    return true;
  }

 private:
  // Many changes are not worth a list: a copy is as quick.
  static size_t most_changes(size_t size) noexcept { return size / 4 < 256 ? size / 4 + 8 : 256; }
  void note(size_t i) noexcept {
    if (body_->changed.size() < body_->changed.capacity()) {
      body_->changed.push(static_cast<uint32_t>(i));
    } else {
      body_->before = nullptr;
    }
  }
  // Brings a body that is one version behind up to date.
  bool catch_up(Body* body) const noexcept {
    const size_t n = body_->value.size();
    // A body that was assigned or adopted has no room for a list yet.
    if (!body->value.resize(n) || !body->changed.reserve(most_changes(n))) return false;
    for (const uint32_t i : body_->changed) body->value[i] = body_->value[i];
    return true;
  }
  bool copy(Body* body) const noexcept {
    const size_t n = body_->value.size();
    if (!body->value.resize(n) || !body->changed.reserve(most_changes(n))) return false;
    if (n) std::memcpy(body->value.data(), body_->value.data(), n * sizeof(T));
    return true;
  }

  Body* body_ = nullptr;
  const T* data_ = nullptr;
};

}  // namespace octile
