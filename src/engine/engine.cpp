// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>
#include <utility>

#include "engine/view.hpp"
#include "index/live_labels.hpp"
#include "index/portal_index.hpp"
#include "world/edit_log.hpp"
#include "world/map.hpp"
#include "world/tile_file.hpp"

namespace octile {

namespace {

// What the writer keeps of a profile's earlier Views.
struct Spares {
  LayerSpare layer;
  Components::Spare components;
  Dearest::Spare dearest;
  Pockets::Spare pockets;
  LiveLabels* live = nullptr;  // of the present View; null: commits repair no labels
  uint64_t ordered = 0;        // entries when the order of its hubs was new
  bool renew = false;          // commits see to it that there are labels of a new order again
  // A repair that takes long, which goes on beside the caller: `live` is left alone meanwhile.
  struct Repair {
    BackgroundThread thread;
    LiveLabels* labels;
    Layer layer;               // up to which labels are brought by
    Buffer<DirtyTile> edited;  // what was edited; nothing: all are made anew
    std::atomic<bool> stop{false}, done{false};
    bool fits = false;
    void run() noexcept {
      labels->stop_by(&stop);
      fits = edited.empty() ? labels->rebuild() : labels->update(layer, edited);
      labels->stop_by(nullptr);
      done.store(true, std::memory_order_release);
    }
  };
  Repair* repair = nullptr;
  Buffer<DirtyTile> behind;  // edited since it began

  ~Spares() { forget_labels(); }
  // Of another map: nothing can be used again.
  void forget() noexcept {
    forget_labels();
    layer.forget();
    components.labels.forget();
    components.first.forget();
    components.component.forget();
    dearest.forget();
    pockets.forget();
  }
  bool follows() const noexcept { return live || renew; }
  void follow(LiveLabels* labels) noexcept {
    forget_labels();
    live = labels;
    ordered = labels->entries();
  }
  void forget_labels() noexcept {
    if (repair) {
      repair->stop.store(true, std::memory_order_relaxed);
      end_repair();
    }
    delete live;
    live = nullptr;
  }
  // All of these: false when memory is short. Brings the labels up to a layer, at once where that
  // will not take long.
  bool follow_edits(const Layer& now, const Buffer<DirtyTile>& edited) noexcept {
    constexpr uint32_t kFewCells = 128;
    if (!renew) return live->update(now, edited);
    uint32_t cells = 0;
    for (const DirtyTile& d : edited) cells += (d.x1 - d.x0 + 1u) * (d.y1 - d.y0 + 1u);
    if (cells > kFewCells) return begin_repair(&now, edited);
    return live->update(now, edited, true) && (!live->waits() || begin_repair(nullptr, edited));
  }
  bool begin_repair(const Layer* now, const Buffer<DirtyTile>& edited) noexcept {
    repair = new (std::nothrow) Repair;
    if (!repair) return false;
    repair->labels = live;
    if (now) {
      repair->layer.share(*now);
      if (!repair->edited.resize(edited.size())) return false;
      std::copy(edited.begin(), edited.end(), repair->edited.begin());
    }
    behind.clear();
    repair->thread.start([](void* data) { static_cast<Repair*>(data)->run(); }, repair);
    return true;
  }
  bool end_repair() noexcept {
    repair->thread.join();
    const bool fits = repair->fits;
    delete repair;
    repair = nullptr;
    return fits;
  }
  bool fall_behind(const Buffer<DirtyTile>& dirty) noexcept {
    for (const DirtyTile& d : dirty) {
      DirtyTile* known = std::find_if(behind.begin(), behind.end(),
                                      [&](const DirtyTile& b) { return b.tile == d.tile; });
      if (known == behind.end()) {
        if (!behind.push(d)) return false;
        continue;
      }
      TileBox box = known->box();
      box.widen(d.box());
      *known = {d.tile, box.x0, box.y0, box.x1, box.y1};
    }
    return true;
  }
};

}  // namespace

struct Engine::Impl {
  struct Slot {
    ProfileId id;
    const Profile* profile;
    const View::Impl* view;  // of the last commit; null before the first
    Spares* spares;
  };
  Buffer<Slot> slots;
  ProfileId next_id = 1;
  // One build in the background.
  struct Job {
    BackgroundThread thread;
    View view;  // what it is for
    ProfileId profile = 0;
    IndexOptions options;
    std::atomic<bool> cancel{false};
    IndexOptions asked;  // the caller's own token and function
    std::atomic<bool> done{false};
    Index result;
    Fault fault;

    // The caller's token counts until the result is taken over.
    bool cancelled() noexcept {
      if (asked.cancel && asked.cancel->load(std::memory_order_relaxed))
        cancel.store(true, std::memory_order_relaxed);
      return cancel.load(std::memory_order_relaxed);
    }
    static void tell(void* data, double share) {
      Job& job = *static_cast<Job*>(data);
      if (job.asked.progress) job.asked.progress(job.asked.user, share);
      job.cancelled();
    }
  };
  Job* job = nullptr;
  Buffer<const View::Impl*> next_views;  // of a commit that is being made
  // The last committed state, from which later profiles are built; null before the first commit.
  Snapshot* committed = nullptr;

  Slot* find(ProfileId id) noexcept {
    for (Slot& slot : slots)
      if (slot.id == id) return &slot;
    return nullptr;
  }
  // What the map asks, of itself; see Shown.
  static uint32_t tables_of_last(const void* engine) noexcept;
  static void ask_for(const void* engine, const DirtyTile& edited, Shown::Ask ask) noexcept;
  // Whose labels are to be built anew; 0: nobody's, or another build runs.
  ProfileId to_renew() const noexcept;
  // Takes over an index that was built for an earlier View of the slot, or for labels to follow.
  Fault adopt_late(Slot& slot, const WorldView& then, const Index& index) noexcept;
  // Puts a View in the place of the present one, unless making it was a fault.
  Fault show(Slot& slot, View::Impl* view, const Fault& f) noexcept;
  // Gives the present View labels that are up to date, where it would be without an index.
  Fault give_labels(Slot& slot, const Index::Impl* labels) noexcept;
  // Takes back the labels of the slot, whose repair has ended.
  Fault adopt_repaired(Slot& slot, bool* adopted) noexcept;
};

namespace {

const char* const kNoMemoryForView = "no memory for the view";

constexpr IndexOptions labels_of_subgoals() noexcept {
  IndexOptions options;
  options.most = IndexKind::subgoal_labels;
  return options;
}
constexpr IndexOptions kRenewal = labels_of_subgoals();

// A View of `map` from nothing. The spares become those of its first edits.
Fault make_view(const Snapshot& map, const Profile& profile, Spares* spares,
                const View::Impl** out) noexcept {
  View::Impl* view = new (std::nothrow) View::Impl(profile);
  if (!view) return fault(Status::out_of_memory, kNoMemoryForView);
  WorldView& w = view->world;
  w.map.share(map);
  const Footprint unit(profile);
  Fault f = make_cell_costs(profile, map, &w.costs);
  if (!f &&
      !(build_layer(map, profile, &w.layer) && w.components.build(w.layer, profile) &&
        w.layer.tiles.prepare(&spares->layer.tiles) && w.components.prepare(&spares->components) &&
        (!Pockets::serve(profile) || !w.costs.uniform || w.pockets.build(w.layer, profile)) &&
        (unit.one_cell() || w.costs.uniform || w.dearest.build(map, w.costs, unit))))
    f = fault(Status::out_of_memory, kNoMemoryForView);
  if (f) {
    drop(view);
  } else {
    *out = view;
  }
  return f;
}

// Where a commit's time goes, for who wants to know.
class Laps {
 public:
  explicit Laps(CommitTimes* times) noexcept : times_(times), last_(times ? steady_seconds() : 0) {}
  // What came since the last call belongs to `part`.
  void add(double CommitTimes::*part) noexcept {
    if (!times_) return;
    const double now = steady_seconds();
    times_->*part += (now - last_) * 1e6;
    last_ = now;
  }

 private:
  CommitTimes* times_;
  double last_;
};

// A View of `map` from one of the version before, and the tiles edited since.
Fault update_view(const Snapshot& map, const View::Impl& old, const Buffer<DirtyTile>& edited,
                  Spares* spares, Laps* laps, const View::Impl** out) noexcept {
  const Fault no_memory = fault(Status::out_of_memory, kNoMemoryForView);
  const WorldView& was = old.world;
  View::Impl* view = new (std::nothrow) View::Impl(was.profile);
  if (!view) return no_memory;
  WorldView& w = view->world;
  w.map.share(map);
  // 1. Edits change the places of a unit round them.
  Fault f;
  const Footprint unit(w.profile);
  Buffer<DirtyTile> grown;
  if (!unit.one_cell() && !grow(map.grid, unit, edited, &grown)) f = no_memory;
  const Buffer<DirtyTile>& dirty = unit.one_cell() ? edited : grown;
  if (dirty.size() == 1) was.pockets.ask_further(dirty[0]);
  // 2. What follows from the map.
  if (same_costs(map, was.map)) {
    w.costs = was.costs;
  } else if (!f) {
    f = make_cell_costs(w.profile, map, &w.costs);
  }
  w.layer.share(was.layer);
  w.components.share(was.components);
  w.dearest.share(was.dearest);
  // Where nobody else has the View, and none of its indexes looks back, it need not stay as it was.
  const bool alone =
      old.unique() && !old.stale.index && !spares->live && (!old.index || old.index->of_portals());
  const EarlierLayer before(was.layer, spares->layer);
  laps->add(&CommitTimes::rest_us);
  if (!f && !update_layer(map, w.profile, dirty, alone, &spares->layer, &w.layer)) f = no_memory;
  laps->add(&CommitTimes::masks_us);
  if (!f && !w.components.update(before, w.layer, w.profile, dirty, alone, &spares->components))
    f = no_memory;
  laps->add(&CommitTimes::components_us);
  if (!f && Pockets::serve(w.profile) &&
      !w.pockets.update(was.pockets, before, w.layer, w.profile, dirty, w.costs.uniform,
                        &spares->pockets))
    f = no_memory;
  laps->add(&CommitTimes::pockets_us);
  if (!f && !((unit.one_cell() ||
               (w.dearest.empty() ? w.costs.uniform || w.dearest.build(map, w.costs, unit)
                                  : w.dearest.update(map, w.costs, dirty, &spares->dearest))) &&
              view->stale.update(
                  old.index && old.index->info.kind == IndexKind::tile_labels ? old.index : nullptr,
                  old.stale, was.layer, w, dirty) &&
              (!old.index || carry_over(*old.index, w, dirty, &view->index))))
    f = no_memory;
  // 3. Labels that follow.
  if (!f && spares->live && refuses_index(w)) spares->forget_labels();
  if (!f && spares->repair) {
    if (!spares->fall_behind(dirty)) f = no_memory;
  } else if (!f && spares->live) {
    const Index::Impl* repaired = nullptr;
    if (!spares->follow_edits(w.layer, dirty)) f = no_memory;
    if (f || !spares->repair) {
      if (!f && !spares->live->publish(w, &repaired)) f = no_memory;
      if (!repaired) spares->forget_labels();
    }
    if (view->index)
      drop(repaired);
    else
      view->index = repaired;
  }
  if (f) {
    drop(view);
  } else {
    *out = view;
  }
  return f;
}

// The tiles that may differ between two layers of one grid.
bool differing_tiles(const Layer& a, const Layer& b, Buffer<DirtyTile>* out) noexcept {
  const TileGrid& grid = a.grid;
  for (uint32_t row = 0; row < grid.tile_rows; ++row) {
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t tile = grid.tile_index(column, row);
      if (a.tiles.at(tile) == b.tiles.at(tile)) continue;
      const uint32_t right = static_cast<uint32_t>(grid.width) - 1 - 64 * column;
      const uint32_t bottom = static_cast<uint32_t>(grid.height) - 1 - 64 * row;
      if (!out->push({tile, 0, 0, static_cast<uint8_t>(right < 63 ? right : 63),
                      static_cast<uint8_t>(bottom < 63 ? bottom : 63)}))
        return false;
    }
  }
  return true;
}

}  // namespace

uint32_t Engine::Impl::tables_of_last(const void* engine) noexcept {
  const auto& e = *static_cast<const Impl*>(engine);
  if (!e.committed) return 0;
  uint32_t tables = 1;
  for (const Slot& slot : e.slots) {
    if (!slot.view || !slot.view->unique()) return 0;
    ++tables;
  }
  return tables;
}

void Engine::Impl::ask_for(const void* engine, const DirtyTile& edited, Shown::Ask ask) noexcept {
  for (const Slot& slot : static_cast<const Impl*>(engine)->slots) {
    if (!slot.view) continue;
    const WorldView& w = slot.view->world;
    if (ask == Shown::Ask::where) {
      w.layer.tiles.ask_where(edited.tile);
      w.components.ask_where(edited);
      w.pockets.ask_where(edited);
    } else {
      octile::ask_for(w.layer, slot.spares->layer, edited);
      w.components.ask_for(edited, slot.spares->components);
      w.pockets.ask_for(edited);
    }
  }
}

ProfileId Engine::Impl::to_renew() const noexcept {
  for (const Slot& slot : slots) {
    const Spares& s = *slot.spares;
    if (job || !s.renew || s.repair || !slot.view || refuses_index(slot.view->world)) continue;
    if (!s.live || 10 * s.live->entries() > 13 * s.ordered) return slot.id;
  }
  return 0;
}

Fault Engine::Impl::adopt_late(Slot& slot, const WorldView& then, const Index& index) noexcept {
  const View::Impl& old = *slot.view;
  const WorldView& now = old.world;
  const Fault stale = fault(Status::stale_index, "the map has changed since the index was begun");
  if (!same_ground(then, now) || refuses_index(now)) return stale;
  const Fault no_memory = fault(Status::out_of_memory, kNoMemoryForView);
  Buffer<DirtyTile> dirty;
  if (!differing_tiles(then.layer, now.layer, &dirty)) return no_memory;
  View::Impl* view = nullptr;
  Fault f;
  if (index.info().kind == IndexKind::subgoal_labels && slot.spares->follows()) {
    // 1. Labels that commits repair are repaired up to now.
    auto* live = new (std::nothrow) LiveLabels;
    const Index::Impl* repaired = nullptr;
    if (!live || !live->begin(*index.impl(), then.layer)) f = no_memory;
    const uint64_t ordered = f ? 0 : live->entries();
    if (!f && (!live->update(now.layer, dirty) || !live->publish(now, &repaired))) f = no_memory;
    if (!f && !repaired) f = stale;
    if (!f) f = give_labels(slot, repaired);
    drop(repaired);
    if (f) {
      delete live;
      return f;
    }
    slot.spares->follow(live);
    slot.spares->ordered = ordered;
    return {};
  }
  if (index.info().kind == IndexKind::tile_labels &&
      (!old.index || old.index->info.kind != IndexKind::tile_labels)) {
    // 2. Tile labels serve as those of an earlier map.
    f = copy_view(old, old.index, &view);
    if (!f && !view->stale.update(index.impl(), StaleIndex(), then.layer, view->world, dirty))
      f = no_memory;
    if (!f && !view->stale.index) f = stale;
  } else {
    f = stale;
  }
  return show(slot, view, f);
}

Fault Engine::Impl::show(Slot& slot, View::Impl* view, const Fault& f) noexcept {
  if (f) {
    drop(view);
    return f;
  }
  drop(slot.view);
  slot.view = view;
  return {};
}

Fault Engine::Impl::give_labels(Slot& slot, const Index::Impl* labels) noexcept {
  const View::Impl& old = *slot.view;
  View::Impl* view = nullptr;
  Fault f = copy_view(old, !old.index || old.index->live ? labels : old.index, &view);
  if (!f && !view->stale.share(old.stale)) f = fault(Status::out_of_memory, kNoMemoryForView);
  return show(slot, view, f);
}

Fault Engine::Impl::adopt_repaired(Slot& slot, bool* adopted) noexcept {
  Spares& s = *slot.spares;
  const WorldView& now = slot.view->world;
  const Index::Impl* labels = nullptr;
  const bool fits = s.end_repair() && s.follow_edits(now.layer, s.behind);
  if (fits && s.repair) return {};  // what was edited meanwhile takes long again
  Fault f;
  if (!fits || !s.live->publish(now, &labels)) f = fault(Status::out_of_memory, kNoMemoryForView);
  if (labels) f = give_labels(slot, labels);
  drop(labels);
  if (f || !labels) s.forget_labels();
  if (!f && labels && adopted) *adopted = true;
  return f;
}

Engine::Engine() noexcept : impl_(new (std::nothrow) Impl) {}

Engine::~Engine() {
  if (impl_) {
    for (Impl::Slot& slot : impl_->slots) {
      drop(slot.view);
      delete slot.profile;
      delete slot.spares;
    }
    delete impl_->committed;
    stop_build();
    delete impl_;
  }
  delete map_.impl_;
}

Fault Engine::reset(const MapDef& definition) noexcept {
  return reset(definition, nullptr, 0);
}

Fault Engine::reset(const MapDef& definition, const uint8_t* terrain, size_t stride) noexcept {
  Map fresh;
  fresh.impl_ = new (std::nothrow) Map::Impl;
  if (!fresh.impl_) return no_memory_for("the map");
  Fault f = fresh.impl_->init(definition);
  if (!f && terrain) {
    const Cell first = definition.first_cell;
    f = fresh.stamp({first.x, first.y, definition.width, definition.height}, terrain, stride);
  }
  return begin(f, fresh);
}

Fault Engine::load(const char* path) noexcept {
  if (!path) return fault(Status::bad_argument, "load needs a path");
  Map fresh;
  fresh.impl_ = new (std::nothrow) Map::Impl;
  if (!fresh.impl_) return no_memory_for("the map");
  return begin(load_tile_file(path, fresh.impl_), fresh);
}

Fault Engine::begin(const Fault& made, Map& fresh) noexcept {
  if (made || !impl_) {
    delete fresh.impl_;
    return made ? made : no_memory_for("the engine");
  }
  // A new map has no history: the next commit builds everything anew. Versions go on counting, so
  // that no version ever names two states.
  fresh.impl_->now.version = map_.version();
  fresh.impl_->clear_dirty();
  delete map_.impl_;
  map_.impl_ = fresh.impl_;
  map_.impl_->shown = {impl_, Impl::tables_of_last, Impl::ask_for};
  for (Impl::Slot& slot : impl_->slots) {
    drop(slot.view);
    slot.view = nullptr;
    slot.spares->forget();
  }
  delete impl_->committed;
  impl_->committed = nullptr;
  return {};
}

Map& Engine::map() noexcept {
  return map_;
}
const Map& Engine::map() const noexcept {
  return map_;
}

Fault Engine::add_profile(const Profile& profile, ProfileId* id) noexcept {
  if (!impl_) return no_memory_for("the engine");
  if (!id) return fault(Status::bad_argument, "add_profile needs a place for the id");
  if (Fault f = check_profile(profile)) return f;
  const View::Impl* view = nullptr;
  Profile* copy = new (std::nothrow) Profile(profile);
  Spares* spares = new (std::nothrow) Spares;
  Fault f;
  if (map_.impl_) map_.impl_->set_edits_aside();
  if (copy && spares && impl_->committed) f = make_view(*impl_->committed, profile, spares, &view);
  if (!f && (!copy || !spares || !impl_->slots.push({impl_->next_id, copy, view, spares})))
    f = no_memory_for("the profile");
  if (f) {
    delete copy;
    delete spares;
    drop(view);
    return f;
  }
  *id = impl_->next_id++;
  return {};
}

Fault Engine::remove_profile(ProfileId id) noexcept {
  Impl::Slot* slot = impl_ ? impl_->find(id) : nullptr;
  if (!slot) return fault(Status::bad_argument, "there is no profile of that id");
  drop(slot->view);
  delete slot->profile;
  delete slot->spares;
  *slot = impl_->slots.back();
  impl_->slots.pop();
  return {};
}

Fault Engine::commit() noexcept {
  return commit(nullptr);
}

Fault Engine::commit(CommitTimes* times) noexcept {
  if (times) *times = {};
  Laps laps(times);
  Map::Impl* map = map_.impl_;
  if (!impl_) return no_memory_for("the engine");
  if (!map) return fault(Status::bad_argument, "there is no map: call Engine::reset first");
  if (impl_->committed && map->dirty.empty()) return {};
  map->summarise();

  // 1. Make everything new beside the old.
  EditWriter log(*map);
  const bool first = !impl_->committed;
  if (!log.reserve(1) || !map->mark_versions(first) || (first && !map->prepare_spares()))
    return fault(Status::out_of_memory, kNoMemoryForView);
  Snapshot* next = new (std::nothrow) Snapshot;
  if (!next) return fault(Status::out_of_memory, kNoMemoryForView);
  next->share(map->now);
  ++next->version;
  Buffer<const View::Impl*>& views = impl_->next_views;
  views.clear();
  Fault f;
  if (!views.reserve(impl_->slots.size())) f = fault(Status::out_of_memory, kNoMemoryForView);
  for (size_t i = 0; !f && i < impl_->slots.size(); ++i) {
    const Impl::Slot& slot = impl_->slots[i];
    const View::Impl* view = nullptr;
    f = slot.view ? update_view(*next, *slot.view, map->dirty, slot.spares, &laps, &view)
                  : make_view(*next, *slot.profile, slot.spares, &view);
    if (!f) views.push(view);
  }
  if (f) {
    for (const View::Impl* view : views) drop(view);
    delete next;
    for (const Impl::Slot& slot : impl_->slots) {
      // What was written where it stood; of Views that nobody else has.
      if (slot.view)
        undo_edit(*slot.profile, &slot.spares->layer, const_cast<Layer*>(&slot.view->world.layer));
      // Some labels may be those of what did not come to be.
      slot.spares->forget_labels();
    }
    return f;
  }
  // 2. Nothing can fail any more: exchange.
  for (size_t i = 0; i < impl_->slots.size(); ++i) {
    drop(impl_->slots[i].view);
    impl_->slots[i].view = views[i];
    impl_->slots[i].spares->layer.in_place = LayerSpare::kNone;
  }
  delete impl_->committed;
  impl_->committed = next;
  map->now.version = next->version;
  map->clear_dirty();
  if (log.wanted()) log.kind(EditKind::commit);
  laps.add(&CommitTimes::rest_us);
  // 3. Labels whose order has aged. A build that cannot begin is begun after a later commit.
  if (const ProfileId aged = impl_->to_renew()) start_build(aged, kRenewal);
  return {};
}

Fault Engine::replay(const EditLog& log) noexcept {
  if (!impl_) return no_memory_for("the engine");
  if (!map_.impl_) return fault(Status::bad_argument, "there is no map: call Engine::reset first");
  if (map_.impl_->log && map_.impl_->log == log.impl_)
    return fault(Status::bad_argument, "the log is being recorded: end that first");
  EditReader reader(log.data(), log.size());
  if (Fault f = read_log_head(reader, map_.definition())) return f;
  while (!reader.done()) {
    EditKind kind;
    if (Fault f = replay_edit(reader, map_, &kind)) return f;
    if (kind != EditKind::commit) continue;
    if (Fault f = commit()) return f;
  }
  return {};
}

Fault Engine::adopt(ProfileId id, const Index& index) noexcept {
  Impl::Slot* slot = impl_ ? impl_->find(id) : nullptr;
  if (!slot) return fault(Status::bad_argument, "there is no profile of that id");
  if (index.empty()) return fault(Status::bad_argument, "there is no index to adopt");
  if (!slot->view) return fault(Status::bad_argument, "there is no view yet: commit first");
  map_.impl_->set_edits_aside();
  View view;
  if (Fault f = View(slot->view).with_index(index, &view)) return f;
  drop(slot->view);
  slot->view = view.impl();
  slot->view->take();
  return {};
}

Fault Engine::repair_labels(ProfileId id, const Index& index, bool renew) noexcept {
  Impl::Slot* slot = impl_ ? impl_->find(id) : nullptr;
  if (!slot) return fault(Status::bad_argument, "there is no profile of that id");
  if (index.empty()) {
    slot->spares->forget_labels();
    slot->spares->renew = false;
    return {};
  }
  if (!slot->view) return fault(Status::bad_argument, "there is no view yet: commit first");
  map_.impl_->set_edits_aside();
  if (index.info().kind != IndexKind::subgoal_labels || !index.data())
    return fault(Status::bad_argument, "only labels of subgoals that were built can be repaired");
  if (!index.belongs_to(View(slot->view)))
    return fault(Status::stale_index, "the index belongs to another map, or another state of it");
  auto* live = new (std::nothrow) LiveLabels;
  if (!live || !live->begin(*index.impl(), slot->view->world.layer)) {
    delete live;
    return no_memory_for("the labels");
  }
  if (!slot->view->index) {
    if (Fault f = impl_->give_labels(*slot, index.impl())) {
      delete live;
      return f;
    }
  }
  slot->spares->follow(live);
  slot->spares->renew = renew;
  return {};
}

Fault Engine::start_build(ProfileId id, const IndexOptions& options) noexcept {
  const Impl::Slot* slot = impl_ ? impl_->find(id) : nullptr;
  if (!slot) return fault(Status::bad_argument, "there is no profile of that id");
  if (!slot->view) return fault(Status::bad_argument, "there is no view yet: commit first");
  stop_build();
  map_.impl_->set_edits_aside();
  Impl::Job* job = new (std::nothrow) Impl::Job;
  if (!job) return no_memory_for("the build");
  job->view = View(slot->view);
  job->profile = id;
  job->options = job->asked = options;
  job->options.cancel = &job->cancel;
  job->options.progress = Impl::Job::tell;
  job->options.user = job;
  job->cancelled();
  impl_->job = job;
  job->thread.start(
      [](void* data) {
        auto& j = *static_cast<Impl::Job*>(data);
        j.fault = build_index(j.view, j.options, &j.result);
        j.done.store(true, std::memory_order_release);
      },
      job);
  return {};
}

bool Engine::building() const noexcept {
  return impl_ && (impl_->job || std::any_of(impl_->slots.begin(), impl_->slots.end(),
                                             [](const Impl::Slot& s) { return s.spares->repair; }));
}

Fault Engine::adopt_finished(bool* adopted) noexcept {
  if (adopted) *adopted = false;
  if (!building()) return {};
  if (map_.impl_) map_.impl_->set_edits_aside();
  for (Impl::Slot& slot : impl_->slots) {
    const Spares::Repair* r = slot.spares->repair;
    if (!r || !r->done.load(std::memory_order_acquire)) continue;
    const Fault taken = impl_->adopt_repaired(slot, adopted);
    if (const ProfileId aged = impl_->to_renew()) start_build(aged, kRenewal);
    return taken;
  }
  Impl::Job* job = impl_->job;
  if (!job) return {};
  const bool cancelled = job->cancelled();
  if (!job->done.load(std::memory_order_acquire)) return {};
  job->thread.join();
  const Fault built =
      cancelled && !job->fault ? fault(Status::cancelled, "the build was cancelled") : job->fault;
  const Index index = job->result;
  const ProfileId profile = job->profile;
  const View then = job->view;
  delete job;
  impl_->job = nullptr;
  if (built) return built;
  Impl::Slot* slot = impl_->find(profile);
  if (!slot || !slot->view)
    return fault(Status::stale_index, "the profile or the map that the index is for is gone");
  const bool follows = index.info().kind == IndexKind::subgoal_labels && slot->spares->follows();
  const Fault taken = follows || !index.belongs_to(View(slot->view))
                          ? impl_->adopt_late(*slot, then.impl()->world, index)
                          : adopt(profile, index);
  if (!taken && adopted) *adopted = true;
  // What came too late is begun again.
  if (const ProfileId aged = taken ? impl_->to_renew() : 0) start_build(aged, kRenewal);
  return taken;
}

void Engine::stop_build() noexcept {
  if (!impl_ || !impl_->job) return;
  impl_->job->cancel.store(true, std::memory_order_relaxed);
  impl_->job->thread.join();
  delete impl_->job;
  impl_->job = nullptr;
}

View Engine::view(ProfileId id) const noexcept {
  const Impl::Slot* slot = impl_ ? impl_->find(id) : nullptr;
  if (!slot) return View();
  if (map_.impl_) map_.impl_->set_edits_aside();
  return View(slot->view);
}

}  // namespace octile
