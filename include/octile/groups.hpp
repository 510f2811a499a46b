// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// One order for many units: where does each of them go when the player clicks on one cell?
//
//   order_group(searcher, views, view_count, units, count, goal, options, slots, &answer)
//
//        u u                  . . . . . .       Every unit gets a slot of its own: a place where it
//        u u u   ------->     . . s s . .       can stand, connected with the goal, overlapping no
//          u u                . s g s s .       other slot. Which unit takes which slot is chosen
//          so
//                             . . s s . .       that the longest way is as short as it can be, and
//                                               then the sum of all ways.
//
// Units of several sizes or kinds are Views of one map: one for each Profile. Only units of the
// same View change slots with each other. Who cannot come to the goal is told so at once, and is
// sent to the nearest place that it can reach, if that is wished.
//
// Then give the slots to StepPlanner (agents.hpp) as goals, or follow paths or a field to them.
// When a unit stands in its slot it has arrived, for good: slots are distinct, so nobody else wants
// it.
//
// Errors, units and threads are those of octile.hpp. A pure function of its arguments.

#include "octile/octile.hpp"

namespace octile {

// The shape in which a group shall stand at its goal.
enum class Formation : uint8_t {
  compact,     // the free places nearest to the goal by walking
  box,         // ranks and files, the goal in the middle
  column,      // the head on the goal, the others behind it
  wedge,       // the tip on the goal, the others behind it on both sides
  keep_shape,  // as they stand now, the middle on the goal; no unit changes places with another one
};
OCTILE_API const char* name(Formation formation) noexcept;  // "compact", "box", ...

// A unit of the group, as order_group() takes it.
struct GroupUnit {
  Cell cell;          // where it stands
  uint32_t view = 0;  // which of the Views it walks by
};

// Friends in the way. A path planned as if they were not there runs into them; one planned as if
// they were walls goes round half the map while a gap is only busy. So their cells cost more: the
// ticks that one may have to wait for them. Then a path leads past them where that is shorter than
// to wait, and nothing is ever closed by friends.
struct GroupFriend {
  Cell cell;         // of a larger unit each cell that it covers; outside the map it is left out
  Cell heading;      // where it is going, as a direction in cells; (0, 0), or speed 0: it rests
  double speed = 1;  // as a share of the speed of the unit that plans, 0 to 1; if it rests, any
};

// What friends in the way cost.
struct FriendCosts {
  // In straight steps over ordinary ground, 0 to 1,000,000. Of one on its way that goes across or
  // comes towards the unit; of one that goes along with it, less by its speed, down to 0.
  double moving = 1;
  double resting = 4;  // one that rests has to be pushed aside, and comes back
};

// How a group shall stand.
struct GroupOptions {
  Formation formation = Formation::compact;  // its shape
  // Where the formation (or a compact group) looks to, as a direction in cells; (0, 0): from the
  // middle of the units to the goal. Of its eight directions the nearest is taken.
  Cell facing;
  int32_t spacing = 0;  // cells between two units at least, 0 to 32
  // Units abreast in a box (0: about as many as ranks) or column (0: one). kFilesByPassage: as many
  // as pass side by side, `spacing` cells apart, through the narrowest place of a cheapest way to
  // the goal, at most about as many as ranks.
  int32_t files = 0;
  static constexpr int32_t kFilesByPassage = -1;
  // Who cannot reach the goal goes to the reachable place nearest to it, by empty-grid distance.
  bool allow_partial = true;
  // Other units on the map, none by default. Their cells cost `friend_costs` more, for a group on
  // its way from its middle to the goal (see friend_costs()): who takes which slot, distances and
  // pace count the waits. Where a friend rests is no slot, nor nearer to it than `spacing`; so who
  // is parked is not driven away for good. Read during the call alone.
  const GroupFriend* friends = nullptr;
  size_t friend_count = 0;
  FriendCosts friend_costs;  // what they cost
};

// Where a unit of the group goes.
struct GroupSlot {
  // found; partial: the nearest place in reach; no_path: nothing in reach, or no room is left round
  // it; start_blocked; start_out_of_bounds.
  Status status = Status::no_path;
  Cell cell;  // the slot; without one the unit's own cell
  // Cost of the way to it, as Path::cost, with the costs of friends; kWall without a slot.
  double distance = 0;
  // For units that shall arrive together: the share of full speed at which this one takes as long
  // as the one with the longest way at full speed, 0 to 1; 0 without a slot and for who is there.
  double pace = 0;
  // How far behind the foremost slot it lies, in cells along GroupOptions::facing (in steps of both
  // axes when that is diagonal). Who gives StepAgent::priority by it, the lowest rank first, has
  // the group narrow at gaps and pass them rank by rank.
  uint32_t rank = 0;
};

// How well the order could be carried out.
struct GroupAnswer {
  size_t placed = 0;   // units with status found
  size_t partial = 0;  // units that go as near as they can
  size_t left = 0;     // units without a slot
  double longest = 0;  // of the distances of all units with a slot
  double total = 0;    // their sum
  // True when who takes which slot is the best choice there is (and distances are exact). Else,
  // with more than 512 units of one View, or without an index where the map's cells times the slots
  // are more than 2^27, the choice was improved by exchanges, and `distance` is a lower bound.
  bool optimal = true;
};

// Fills slots[0 .. count). Slots are those places that come first by their distance from the goal
// (compact), or are nearest to the place that the formation asks for; larger units choose first. A
// slot has a way to the goal for its unit. Equal choices are decided by y, x and the order of the
// units.
//
// Time: with tile labels 0.4 ms for 100 units of one View, 1 ms for 200, 9 to 62 ms for 512, and 1
// to 3 ms for more, who choose by exchanges; without, or with friends, a field round each slot that
// ends at the farthest unit as well. Faults: bad_argument (no Views, Views of different maps,
// unknown view of a unit, options out of range, costs or speeds of friends as well, null arrays),
// goal_out_of_bounds, out_of_memory; the slots are then of no use.
OCTILE_API Fault order_group(Searcher& searcher, const View* views, size_t view_count,
                             const GroupUnit* units, size_t count, Cell goal,
                             const GroupOptions& options, GroupSlot* slots,
                             GroupAnswer* answer) noexcept;

// Fills out[0 .. count) with what the friends add for a unit on its way `from` one cell `to`
// another: give it to Query::extra_costs, and the cells of units that nobody can move to
// Query::extra_blocked. Costs are rounded to thousandths. A pure function of its arguments. Faults:
// bad_argument (null arrays, costs or speeds out of range).
OCTILE_API Fault friend_costs(Cell from, Cell to, const GroupFriend* friends, size_t count,
                              const FriendCosts& costs, ExtraCost* out) noexcept;

}  // namespace octile
