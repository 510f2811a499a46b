// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "engine/view.hpp"

#include <utility>

#include "search/sight.hpp"

namespace octile {

static const Profile kNoProfile;
static const MapDef kNoDefinition{};

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
  return impl_ ? impl_->world.map.definition : kNoDefinition;
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

Index View::index() const noexcept {
  if (!impl_ || !impl_->index) return Index();
  impl_->index->take();
  return Index(impl_->index);
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
