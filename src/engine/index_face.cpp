// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Indexes as the public face has them: built for a View, saved and loaded.

#include <new>
#include <utility>

#include "engine/view.hpp"
#include "index/live_labels.hpp"
#include "index/path_index.hpp"
#include "index/portal_index.hpp"

namespace octile {

Fault build_index(const View& view, const IndexOptions& options, Index* index) noexcept {
  if (!index) return fault(Status::bad_argument, "build_index needs a place for the index");
  if (view.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (options.most == IndexKind::none || options.most > IndexKind::quadtree)
    return fault(Status::bad_argument, "options.most names no kind of index");
  if (options.threads < 1 || options.threads > 64)
    return fault(Status::bad_argument, "options.threads must be from 1 to 64");
  if (options.most >= IndexKind::portals)
    return make_portals(view.impl()->world, view.impl()->index, options, index);
  return make_index(view.impl()->world, options, index);
}

bool Index::belongs_to(const View& view) const noexcept {
  return impl_ && !view.empty() &&
         (impl_ == view.impl()->index || serves(*impl_, view.impl()->world));
}

Fault View::with_index(const Index& index, View* out) const noexcept {
  if (!out) return fault(Status::bad_argument, "with_index needs a place for the view");
  if (empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (index.empty()) return fault(Status::bad_argument, "there is no index to adopt");
  if (!index.belongs_to(*this))
    return fault(Status::stale_index, "the index belongs to another map, or another state of it");
  Impl* made = nullptr;
  if (Fault f = copy_view(*impl_, index.impl(), &made)) return f;
  View view(made);  // counts once more
  drop(made);
  *out = std::move(view);
  return {};
}

// Null: there are none, or memory is short.
static const PortalMap* portals_of(const View& view) noexcept {
  const View::Impl* v = view.impl();
  return v && v->index && v->index->of_portals() ? portals_of(*v->index, v->world.layer) : nullptr;
}

size_t index_leaves(const View& view, Rect* out, size_t capacity) noexcept {
  const PortalMap* portals = portals_of(view);
  if (!portals) return 0;
  const PortalMap& map = *portals;
  const PortalShape& shape = map.shape();
  const Cell first = view.first_cell();
  size_t count = 0;
  shape.each([&](uint32_t b) {
    const uint32_t bits = map.leaf_bits(b), mask = (1u << bits) - 1;
    if ((shape.column(b) & mask) || (shape.row(b) & mask)) return;
    const auto x = static_cast<int32_t>(shape.corner(b).x),
               y = static_cast<int32_t>(shape.corner(b).y);
    const auto side = static_cast<int32_t>(shape.side() << bits);
    if (count < capacity)
      out[count] = {first.x + x, first.y + y, side < view.width() - x ? side : view.width() - x,
                    side < view.height() - y ? side : view.height() - y};
    ++count;
  });
  return count;
}

size_t index_portals(const View& view, Cell* out, size_t capacity) noexcept {
  const PortalMap* portals = portals_of(view);
  if (!portals) return 0;
  const PortalMap& map = *portals;
  const Cell first = view.first_cell();
  size_t count = 0;
  map.shape().each([&](uint32_t b) {
    const PortalBlock* block = map.peek(b);
    for (uint32_t p = 0; block && p < block->count(); ++p, ++count) {
      const Point at = map.shape().place(*block, b, p);
      if (count < capacity)
        out[count] = {first.x + static_cast<int32_t>(at.x), first.y + static_cast<int32_t>(at.y)};
    }
  });
  return count;
}

size_t index_subgoals(const View& view, Cell* out, size_t capacity) noexcept {
  if (view.empty() || !view.impl()->index) return 0;
  const Index::Impl& index = *view.impl()->index;
  const uint32_t* rows = index.live ? index.live->row.data() : index.row_first;
  if (!rows || (!index.live && !index.places)) return 0;
  const Cell first = view.first_cell();
  size_t count = 0;
  for (int32_t y = 0; y < view.height(); ++y)
    for (uint32_t s = rows[y]; s < rows[y + 1]; ++s, ++count) {
      const uint32_t x = index.live ? index.live->column[s] : index.place(s).x;
      if (count < capacity) out[count] = {first.x + static_cast<int32_t>(x), first.y + y};
    }
  return count;
}

size_t index_hub_ranks(const View& view, uint32_t* out, size_t capacity) noexcept {
  if (view.empty() || !view.impl()->index) return 0;
  const Index::Impl& index = *view.impl()->index;
  const LiveState* live = index.live;
  const size_t count = live ? live->vertex.size() : index.label_first ? index.info.subgoals : 0;
  // The last entry of a label is its own vertex. Only files made to deceive have labels without.
  const auto last = [](const auto* begin, const auto* end) {
    return begin == end ? UINT32_MAX : end[-1].hub;
  };
  for (size_t s = 0; s < count && s < capacity; ++s) {
    const uint32_t v = live ? live->vertex[s] : 0;
    out[s] = live ? last(live->begin_of(v), live->end_of(v))
                  : last(index.label_entries + index.label_first[s],
                         index.label_entries + index.label_first[s + 1]);
  }
  return count;
}

Fault save_index(const Index& index, const char* path) noexcept {
  if (index.empty()) return fault(Status::bad_argument, "there is no index to save");
  if (!index.data())
    return fault(Status::bad_argument,
                 "an index that was carried over edits has no file: build it");
  if (!path || !*path) return fault(Status::bad_argument, "there is no name to save it under");
  return fault(write_file(path, index.data(), index.info().bytes));
}

namespace {

// Checks what was read and hands it out; `made` is this function's. `file`: what is mapped.
Fault take_over(Index::Impl* made, bool whole, const FileReader& file, unsigned threads,
                Index* index) noexcept {
  const Index holder(made);
  const char* wrong = check_head(made->data, made->size);
  if (!wrong) made->attach();
  if (!wrong && whole) wrong = check_body(*made, file, threads);
  if (!wrong && made->info.kind >= IndexKind::portals && !attach_portals(made))
    return no_memory_for("the index");
  if (wrong == kNoMemoryToCheck) return fault(Status::out_of_memory, wrong);
  if (wrong) return fault(Status::bad_argument, wrong);
  *index = holder;
  return {};
}

}  // namespace

Fault load_index(const char* path, IndexLoad how, Index* index) noexcept {
  if (!path || !index) return fault(Status::bad_argument, "load_index needs a path and a place");
  if (how > IndexLoad::trusted) return fault(Status::bad_argument, "there is no such way to load");
  Index::Impl* made = new (std::nothrow) Index::Impl;
  if (!made) return no_memory_for("the index");
  FileError error;
  FileReader file;
  if (how == IndexLoad::copied) {
    error = read_file(path, &made->own, &made->size);
    made->data = reinterpret_cast<const uint8_t*>(made->own.data());
  } else {
    error = made->file.open(path, how != IndexLoad::trusted, &file);
    made->data = made->file.data();
    made->size = made->file.size();
  }
  // A second thread is worth its start where there is a quarter of a megabyte to look at.
  const unsigned threads = made->size < size_t{1} << 18 ? 1 : 2;
  if (error == FileError::none)
    return take_over(made, how != IndexLoad::trusted, file, threads, index);
  drop(made);
  return fault(error);
}

Fault read_index(const void* data, size_t size, Index* index) noexcept {
  if ((!data && size) || !index)
    return fault(Status::bad_argument, "read_index needs bytes and a place");
  Index::Impl* made = new (std::nothrow) Index::Impl;
  if (!made || !reserve_large(&made->own, size / 8 + 1) || !made->own.resize(size / 8 + 1)) {
    drop(made);
    return no_memory_for("the index");
  }
  if (size) std::memcpy(made->own.data(), data, size);
  made->data = reinterpret_cast<const uint8_t*>(made->own.data());
  made->size = size;
  return take_over(made, true, FileReader(), 1, index);
}

}  // namespace octile
