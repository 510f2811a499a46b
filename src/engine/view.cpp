// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "engine/view.hpp"

#include <utility>

#include "search/sight.hpp"

namespace octile {

static const Profile kNoProfile;
static const MapDef kNoViewDefinition{};

View::View(const Impl* impl) noexcept : impl_(impl) {
  if (impl_) impl_->take();
}
View::View(const View& other) noexcept : View(other.impl_) {}
View::View(View&& other) noexcept {
  std::swap(impl_, other.impl_);
}
View& View::operator=(const View& other) noexcept {
  if (other.impl_) other.impl_->take();
  drop(impl_);
  impl_ = other.impl_;
  return *this;
}
View& View::operator=(View&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
View::~View() {
  drop(impl_);
}

int32_t View::width() const noexcept {
  return definition().width;
}
int32_t View::height() const noexcept {
  return definition().height;
}
Cell View::first_cell() const noexcept {
  return definition().first_cell;
}
uint64_t View::version() const noexcept {
  return impl_ ? impl_->world.map.version : 0;
}
const Profile& View::profile() const noexcept {
  return impl_ ? impl_->world.profile : kNoProfile;
}
const MapDef& View::definition() const noexcept {
  return impl_ ? impl_->world.map.definition : kNoViewDefinition;
}
uint64_t View::tile_version(Cell cell) const noexcept {
  return contains(cell) ? impl_->world.map.tile_version[impl_->world.map.grid.id(cell) >> 12] : 0;
}
bool View::loaded(Cell cell) const noexcept {
  return contains(cell) && !impl_->world.map.absent(impl_->world.map.grid.id(cell) >> 12);
}
uint32_t View::absent_tiles() const noexcept {
  return impl_ ? impl_->world.map.absent_tiles : 0;
}
bool View::contains(Cell cell) const noexcept {
  return impl_ && impl_->world.map.grid.contains(cell);
}
Cell View::cell_at(WorldPoint point) const noexcept {
  return world_to_cell(definition(), point);
}
WorldPoint View::center(Cell cell) const noexcept {
  return cell_to_world(definition(), cell);
}

uint8_t View::terrain(Cell cell) const noexcept {
  return contains(cell) ? impl_->world.map.terrain_at(impl_->world.map.grid.id(cell)) : uint8_t{0};
}

double View::cost(Cell cell) const noexcept {
  if (!passable(cell)) return kWall;
  const WorldView& w = impl_->world;
  return static_cast<double>(w.weight(w.map.grid.id(cell))) * w.costs.unit;
}

bool View::passable(Cell cell) const noexcept {
  return contains(cell) && impl_->world.layer.passable(impl_->world.map.grid.id(cell));
}

uint8_t View::moves(Cell cell) const noexcept {
  return contains(cell) ? impl_->world.layer.moves(impl_->world.map.grid.id(cell)) : uint8_t{0};
}

uint32_t View::component(Cell cell) const noexcept {
  return passable(cell) ? impl_->world.components.of(impl_->world.map.grid.id(cell)) : kNoComponent;
}

bool View::uniform() const noexcept {
  return impl_ && impl_->world.costs.uniform;
}

bool View::line_of_sight(Cell a, Cell b) const noexcept {
  if (!passable(a) || !passable(b)) return false;
  const WorldView& w = impl_->world;
  return octile::line_of_sight(w.layer, w.profile, w.map.grid.id(a), w.map.grid.id(b));
}

double View::estimate(Cell a, Cell b) const noexcept {
  if (!impl_) return 0;
  const CellCosts& c = impl_->world.costs;
  const double dx = a.x < b.x ? double(b.x) - a.x : double(a.x) - b.x;
  const double dy = a.y < b.y ? double(b.y) - a.y : double(a.y) - b.y;
  const double low = dx < dy ? dx : dy, high = dx < dy ? dy : dx;
  return ((high - low) * c.real.straight + low * c.real.diagonal) * c.unit *
         static_cast<double>(c.least_weight);
}

Fault check_whole(const View& view) noexcept {
  if (view.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (view.absent_tiles())
    return fault(Status::not_loaded, "tiles of the map are absent: this takes a whole map");
  return {};
}

Fault copy_view(const View::Impl& from, const Index::Impl* index, View::Impl** out) noexcept {
  auto* view = new (std::nothrow) View::Impl;
  if (!view) return no_memory_for("the view");
  view->world.share(from.world);
  if (index) index->take();
  view->index = index;
  *out = view;
  return {};
}

Fault differences(const View& a, const View& b, Cell* cells, size_t capacity,
                  size_t* count) noexcept {
  if (!count || (!cells && capacity))
    return fault(Status::bad_argument, "differences needs a place for the cells and their number");
  if (a.empty() || b.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  const Snapshot &x = a.impl()->world.map, &y = b.impl()->world.map;
  const TileGrid& grid = x.grid;
  if (grid.width != y.grid.width || grid.height != y.grid.height || grid.first != y.grid.first ||
      x.weights.empty() != y.weights.empty())
    return fault(Status::bad_argument, "the views are of maps that cannot be compared");
  const bool weights = !x.weights.empty();
  // Tiles that are shared are the same. By rows of cells, through all tiles of a row that differ.
  size_t found = 0;
  for (uint32_t row = 0; row < grid.tile_rows; ++row) {
    uint32_t first = grid.tile_cols, last = 0;
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t t = grid.tile_index(column, row);
      if (x.terrain.at(t) == y.terrain.at(t) && (!weights || x.weights.at(t) == y.weights.at(t)))
        continue;
      first = column < first ? column : first;
      last = column;
    }
    for (uint32_t line = 0; first <= last && line < 64; ++line) {
      for (uint32_t column = first; column <= last; ++column) {
        const uint32_t t = grid.tile_index(column, row);
        if (x.terrain.at(t) == y.terrain.at(t) && (!weights || x.weights.at(t) == y.weights.at(t)))
          continue;
        for (uint32_t i = 0; i < 64; ++i) {
          const CellId id = t << 12 | line << 6 | i;
          if (x.terrain_at(id) == y.terrain_at(id) && x.weight_at(id) == y.weight_at(id)) continue;
          const Cell cell = grid.cell(id);
          if (!grid.contains(cell)) continue;
          if (found < capacity) cells[found] = cell;
          ++found;
        }
      }
    }
  }
  *count = found;
  return {};
}

Index View::index() const noexcept {
  if (!impl_ || !impl_->index) return Index();
  impl_->index->take();
  return Index(impl_->index);
}

Index View::stale_index() const noexcept {
  if (!impl_ || !impl_->stale.index) return Index();
  impl_->stale.index->take();
  return Index(impl_->stale.index);
}

LayerMemory View::memory() const noexcept {
  LayerMemory sum;
  if (!impl_) return sum;
  const WorldView& w = impl_->world;
  // Shared tiles count once for each run of neighbours that share them; what Views of other
  // versions share with this one counts in full.
  const auto tiles = [](const auto& table, size_t bytes) {
    size_t total = 0;
    for (uint32_t t = 0; t < table.size(); ++t)
      if (t == 0 || table.at(t) != table.at(t - 1)) total += bytes;
    return total;
  };
  sum.map_bytes = tiles(w.map.terrain, sizeof(TerrainTile)) + w.map.terrain.table_bytes();
  if (!w.map.weights.empty())
    sum.map_bytes += tiles(w.map.weights, sizeof(WeightTile)) + w.map.weights.table_bytes();
  sum.layer_bytes = tiles(w.layer.tiles, sizeof(LayerTile)) + w.layer.tiles.table_bytes();
  const LabelTile* last = nullptr;
  w.components.each_label_tile([&](const LabelTile* tile) {
    if (tile != last) sum.layer_bytes += sizeof(LabelTile) + (tile->high ? kTileCells : 0);
    last = tile;
  });
  sum.layer_bytes +=
      w.components.table_bytes() + w.pockets.bytes() + w.dearest.bytes() + sizeof(View::Impl);
  return sum;
}

}  // namespace octile
