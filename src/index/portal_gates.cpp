// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The second level of portals: gates of regions, and the ways between them.

#include <algorithm>
#include <bit>

#include "index/portal_map.hpp"

namespace octile {

namespace {

// Of one side of a block. Both sides list the same portals, but a file may lie.
uint32_t shared_portals(const PortalBlock& at, const PortalBlock& there, uint32_t side) noexcept {
  const uint32_t facing = opposite(side);
  return std::min<uint32_t>(at.first[side + 1] - at.first[side],
                            there.first[facing + 1] - there.first[facing]);
}

}  // namespace

bool PortalMap::flood(const Layer& layer, const PortalEnd& from, PortalRoom& room) const noexcept {
  const IndexSteps steps = shape_.gate_steps();
  const uint32_t region = shape_.region_of(from.block);
  // A way through a leaf has at most 4,096 steps.
  auto shift = static_cast<uint32_t>(std::bit_width(steps.straight) / 2);
  while ((uint64_t{4200} * steps.diagonal >> shift) + 2 > BucketQueue::kReach) ++shift;
  // 1. A record for each portal of the region.
  uint32_t count = 0;
  bool fits = true;
  shape_.each_in(region, [&](uint32_t b) {
    const PortalBlock* at = block(layer, b, room);
    room.first[shape_.in_region(b)] = count;
    if (at)
      count += at->count();
    else
      fits = false;
  });
  if (!fits || !room.entered.assign(count, PortalGates::kFar) ||
      !room.spread.assign(count, PortalGates::kFar) ||
      !room.left.assign(count, PortalGates::kFar) || !room.queue.begin(shift))
    return false;
  // 2. One side of a block left at each portal to which way_to(portal, &length) knows a way.
  const auto leave = [&](uint32_t b, const PortalBlock& at, uint32_t side, uint32_t g,
                         auto way_to) {
    const uint32_t here = room.first[shape_.in_region(b)];
    const uint32_t next = shape_.beside(b, side);
    const bool inside = shape_.region_of(next) == region;
    const PortalBlock* there = inside ? peek(next) : nullptr;
    const uint32_t first = at.first[side], other = inside ? there->first[opposite(side)] : 0;
    const uint32_t portals = inside ? shared_portals(at, *there, side) : at.first[side + 1] - first;
    for (uint32_t k = 0; k < portals; ++k) {
      uint32_t way;
      if (!way_to(first + k, &way)) continue;
      const uint64_t length = uint64_t{g} + way;
      if (length >= PortalGates::kFar - steps.straight) continue;
      const auto upto = static_cast<uint32_t>(length);
      if (!inside) {
        uint32_t& left = room.left[here + first + k];
        left = std::min(left, upto);
        continue;
      }
      // Whoever came in at this portal for less has been wherever this way leads.
      if (room.entered[here + first + k] <= upto) continue;
      uint32_t& entered = room.entered[room.first[shape_.in_region(next)] + other + k];
      if (upto + steps.straight >= entered) continue;
      entered = upto + steps.straight;
      fits = room.queue.push(entered, 0, next << kPortalBits | (other + k)) && fits;
    }
  };
  // 3. From the end, then from the nearest portal.
  const auto length = [&](BlockWay w) {
    return steps.straight * w.straight + steps.diagonal * w.diagonal;
  };
  fits = each_side(layer, from.block, room,
                   [&](uint32_t b, const PortalBlock& at, uint32_t side) {
                     leave(b, at, side, 0, [&](uint32_t p, uint32_t* way) {
                       if (from.open) {
                         *way = steps.line(from.at, shape_.place(b, side, at.portals()[p].at));
                         return true;
                       }
                       *way = length(from.way[p]);
                       return !no_way(from.way[p]);
                     });
                   }) &&
         fits;
  PortalId id;
  while (fits && room.queue.pop(kMaxCost, &id)) {
    const uint32_t b = id >> kPortalBits, p = id & (kMostPortals - 1);
    const uint32_t record = room.first[shape_.in_region(b)] + p;
    const uint32_t g = room.entered[record];
    if (room.spread[record] == g) continue;
    room.spread[record] = g;
    const PortalBlock* at = peek(b);
    const Portal& portal = at->portals()[p];
    const Point place = shape_.place(*at, b, p);
    fits = each_side(layer, b, room,
                     [&](uint32_t other, const PortalBlock& there, uint32_t side) {
                       leave(other, there, side, g, [&](uint32_t q, uint32_t* way) {
                         if (other == b && there.portals()[q].gap == portal.gap) return false;
                         if (there.free) {
                           *way =
                               steps.line(place, shape_.place(other, side, there.portals()[q].at));
                           return true;
                         }
                         const BlockWay w = there.way(p, q);
                         *way = length(w);
                         return !no_way(w);
                       });
                     }) &&
           fits;
  }
  return fits;
}

void PortalMap::end_at(uint32_t b, const PortalBlock& at, uint32_t portal,
                       PortalEnd* end) const noexcept {
  end->at = shape_.place(at, b, portal);
  end->block = b;
  end->open = at.free != 0;
  end->portal = portal;
  if (end->open) return;
  for (uint32_t q = 0; q < at.count(); ++q)
    end->way[q] = q == portal ? BlockWay{0, 0} : at.way(portal, q);
}

namespace {

uint32_t root_of(Buffer<uint32_t>& parent, uint32_t i) noexcept {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

void unite(Buffer<uint32_t>& parent, uint32_t a, uint32_t b) noexcept {
  a = root_of(parent, a);
  b = root_of(parent, b);
  parent[a < b ? b : a] = a < b ? a : b;
}

}  // namespace

bool PortalMap::find_parts(const Layer& layer, uint32_t region, PortalRoom& room,
                           PortalParts* parts) const noexcept {
  uint32_t count = 0;
  bool fits = true;
  shape_.each_in(region, [&](uint32_t b) {
    const PortalBlock* at = block(layer, b, room);
    parts->first[shape_.in_region(b)] = count;
    count += at ? at->count() : 0;
    fits = fits && at;
  });
  if (!fits || !parts->parent.resize(count)) return false;
  for (uint32_t i = 0; i < count; ++i) parts->parent[i] = i;
  const auto record = [&](uint32_t b, uint32_t p) { return parts->first[shape_.in_region(b)] + p; };
  shape_.each_in(region, [&](uint32_t b) {
    // 1. Inside a block, or a leaf of them.
    const PortalBlock& at = *peek(b);
    if (at.free) {
      uint32_t one = count;
      each_side(layer, b, room, [&](uint32_t other, const PortalBlock& there, uint32_t side) {
        for (uint32_t p = there.first[side]; p < there.first[side + 1]; ++p) {
          if (one == count) one = record(other, p);
          unite(parts->parent, one, record(other, p));
        }
      });
    } else {
      for (uint32_t p = 1; p < at.count(); ++p) {
        uint32_t q = 0;
        while (q < p && no_way(at.way(p, q))) ++q;
        unite(parts->parent, record(b, p), record(b, q));
      }
    }
    // 2. To the blocks beside it.
    for (const uint32_t side : {kSideEast, kSideSouth}) {
      if (at.first[side] == at.first[side + 1]) continue;
      const uint32_t next = shape_.beside(b, side);
      if (shape_.region_of(next) != region) continue;
      const PortalBlock& there = *peek(next);
      const uint32_t other = there.first[opposite(side)];
      for (uint32_t k = 0; k < shared_portals(at, there, side); ++k)
        unite(parts->parent, record(b, at.first[side] + k), record(next, other + k));
    }
  });
  return true;
}

// The gates of a region without the ways between them.
bool PortalMap::list_gates(const Layer& layer, uint32_t region, PortalRoom& room, PortalGates* head,
                           PortalGate* gate) const noexcept {
  *head = PortalGates{};
  uint32_t count = 0;
  bool fits = find_parts(layer, region, room, &room.parts[0]), crowded = false;
  for (uint32_t side = 0; fits && side < 4; ++side) {
    head->first[side] = static_cast<uint16_t>(count);
    // What lies along the side: portals, and the parts of both regions that they connect.
    struct Candidate {
      PortalGate gate;
      uint32_t part, beyond;
      bool operator==(const Candidate& other) const noexcept {
        return part == other.part && beyond == other.beyond &&
               gate.at / kGateSpan == other.gate.at / kGateSpan;
      }
    };
    Candidate list[1u << PortalShape::kRegionBits];
    uint32_t length = 0;
    bool beyond_found = false;
    shape_.each_in(region, [&](uint32_t b) {
      if (!fits || !shape_.has_beside(b, side)) return;
      const uint32_t next = shape_.beside(b, side);
      if (shape_.region_of(next) == region) return;
      if (!beyond_found) {
        fits = find_parts(layer, shape_.region_of(next), room, &room.parts[1]);
        beyond_found = true;
        if (!fits) return;
      }
      const PortalBlock &at = *peek(b), &there = *peek(next);
      const uint32_t first = at.first[side], other = there.first[opposite(side)];
      for (uint32_t k = 0; k < shared_portals(at, there, side); ++k) {
        const uint32_t here = room.parts[0].first[shape_.in_region(b)] + first + k;
        const uint32_t beyond = room.parts[1].first[shape_.in_region(next)] + other + k;
        const Point p = shape_.place(b, side, at.portals()[first + k].at);
        const bool across = side == kSideNorth || side == kSideSouth;
        list[length++] = {
            {static_cast<uint8_t>(shape_.in_region(b)), static_cast<uint8_t>(first + k),
             static_cast<uint16_t>((across ? p.x : p.y) & ((1u << PortalShape::kRegionBits) - 1))},
            root_of(room.parts[0].parent, here),
            root_of(room.parts[1].parent, beyond)};
      }
    });
    // Of those that a gate can stand for, it is the middle one.
    for (uint32_t k = 0; k < length; ++k) {
      if (std::find(list, list + k, list[k]) != list + k) continue;
      auto middle = static_cast<uint32_t>(std::count(list, list + length, list[k])) / 2;
      uint32_t at_gate = k;
      for (uint32_t i = k + 1; middle > 0; ++i) {
        if (!(list[i] == list[k])) continue;
        at_gate = i;
        --middle;
      }
      crowded = crowded || count == kMostGates;
      if (!crowded) gate[count++] = list[at_gate].gate;
    }
  }
  if (crowded) {
    *head = PortalGates{};
    head->crowded = 1;
    count = 0;
  }
  head->first[4] = static_cast<uint16_t>(count);
  head->bytes = static_cast<uint32_t>(PortalGates::size_of(count));
  return fits;
}

const PortalGates* PortalMap::make_gates(const Layer& layer, uint32_t region,
                                         PortalRoom& room) const noexcept {
  const GateHolder& at = *gates_.at(region);
  // Whoever was first has published the same.
  const auto publish = [&](const PortalGates* mine) {
    const PortalGates* there = nullptr;
    if (at.gates.compare_exchange_strong(there, mine, std::memory_order_acq_rel)) return mine;
    at.let_go(mine);
    return there;
  };
  // 1. Gates that were set aside, where no block has changed that they follow from.
  const PortalGates* old = at.old_gates;
  bool blocks_stand = old, inside_stand = old;
  for (uint32_t i = 0; i < at.was_count && inside_stand; ++i) {
    const PortalBlock* was = at.was[i].bytes;
    const PortalBlock* now = block(layer, at.was[i].block, room);
    if (now && now->bytes == was->bytes && std::memcmp(now, was, was->bytes) == 0) continue;
    blocks_stand = false;
    inside_stand = shape_.region_of(at.was[i].block) != region;
  }
  if (blocks_stand) return publish(at.shared(old));
  // 2. Which gates there are. Where they are the same, and blocks of other regions alone have
  // changed, the ways between them are too.
  PortalGates head;
  PortalGate gate[kMostGates];
  if (!list_gates(layer, region, room, &head, gate)) return nullptr;
  const uint32_t count = head.count();
  if (inside_stand && std::memcmp(old, &head, sizeof head) == 0 &&
      std::memcmp(old->gates(), gate, count * sizeof *gate) == 0)
    return publish(at.shared(old));
  // 3. The ways between them.
  uint8_t* out = allot(head.bytes);
  if (!out) return nullptr;
  std::memcpy(out, &head, sizeof head);
  std::memcpy(out + sizeof head, gate, count * sizeof *gate);
  const auto* made = reinterpret_cast<const PortalGates*>(out);
  const auto row = [&](uint32_t i) { return const_cast<uint32_t*>(made->ways(i)); };
  bool fits = true;
  for (uint32_t i = 0; fits && i < count; ++i) {
    row(i)[i] = PortalGates::kFar;
    if (i == 0) continue;  // the others' ways to it will do
    const uint32_t b = shape_.block_in(region, gate[i].block);
    end_at(b, *peek(b), gate[i].portal, &room.end);
    fits = flood(layer, room.end, room);
    for (uint32_t k = 0; k < i; ++k) row(i)[k] = row(k)[i] = left_at(room, gate[k]);
  }
  if (fits) return publish(made);
  give_back(out);
  return nullptr;
}

}  // namespace octile
