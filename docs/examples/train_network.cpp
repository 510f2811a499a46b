// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Shortest ways through a railway network: a graph that is no grid, with lengths in kilometres and
// the great-circle distance as the estimate. Header-only: compile it with -std=c++20 -Iinclude.
//
//   train_network [FROM TO]

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <vector>

#include "octile/graph.hpp"

struct Station {
  const char* name;
  double latitude, longitude;  // degrees
};
constexpr Station kStations[] = {
    {"Paris", 48.88, 2.36},     {"Strasbourg", 48.59, 7.73}, {"Frankfurt", 50.11, 8.66},
    {"Stuttgart", 48.78, 9.18}, {"Nuremberg", 49.45, 11.08}, {"Munich", 48.14, 11.56},
    {"Basel", 47.55, 7.59},     {"Zurich", 47.38, 8.54},     {"Innsbruck", 47.26, 11.40},
    {"Salzburg", 47.81, 13.05}, {"Linz", 48.29, 14.29},      {"Vienna", 48.19, 16.38},
    {"Lyon", 45.76, 4.86},      {"Geneva", 46.21, 6.14},     {"Milan", 45.49, 9.20},
    {"Venice", 45.44, 12.32},   {"Villach", 46.62, 13.85},   {"Reykjavik", 64.15, -21.94},
};
struct Track {
  const char *a, *b;
  double km;  // rounded
};
constexpr Track kTracks[] = {
    {"Paris", "Strasbourg", 440},     {"Strasbourg", "Frankfurt", 220},
    {"Strasbourg", "Stuttgart", 150}, {"Strasbourg", "Basel", 140},
    {"Frankfurt", "Nuremberg", 240},  {"Frankfurt", "Stuttgart", 205},
    {"Stuttgart", "Munich", 240},     {"Nuremberg", "Munich", 170},
    {"Nuremberg", "Linz", 345},       {"Munich", "Salzburg", 150},
    {"Munich", "Innsbruck", 170},     {"Basel", "Zurich", 90},
    {"Zurich", "Innsbruck", 290},     {"Zurich", "Milan", 290},
    {"Innsbruck", "Salzburg", 195},   {"Salzburg", "Linz", 125},
    {"Salzburg", "Villach", 190},     {"Linz", "Vienna", 190},
    {"Paris", "Lyon", 430},           {"Lyon", "Geneva", 165},
    {"Geneva", "Milan", 370},         {"Milan", "Venice", 270},
    {"Venice", "Villach", 230},       {"Villach", "Vienna", 370},
};

// The network, described for octile::GraphSearcher. Stations are numbers from 0 on and there are
// node_count() of them: a dense graph, which is searched without hashing.
class Network {
 public:
  using Node = int;
  using Cost = double;

  Network() : out_(std::size(kStations)) {
    for (const Track& track : kTracks) {
      const int a = station(track.a), b = station(track.b);
      out_[a].push_back({b, track.km});
      out_[b].push_back({a, track.km});
    }
  }
  size_t node_count() const { return out_.size(); }
  template <class Visit>
  void for_each_neighbour(int from, Visit&& visit) const {
    for (const Leg& leg : out_[from]) visit(leg.to, leg.km);
  }
  // Never more than the way by rail: on the globe nothing is shorter than the great circle.
  double estimate(int from, int to) const {
    constexpr double kRadians = 3.14159265358979 / 180, kEarthRadius = 6371;
    const double a = kStations[from].latitude * kRadians, b = kStations[to].latitude * kRadians;
    const double east = (kStations[to].longitude - kStations[from].longitude) * kRadians;
    const double s = std::sin((b - a) / 2), t = std::sin(east / 2);
    return 2 * kEarthRadius * std::asin(std::sqrt(s * s + std::cos(a) * std::cos(b) * t * t));
  }
  static int station(const char* name) {  // -1 when there is none
    for (size_t i = 0; i < std::size(kStations); ++i) {
      if (std::strcmp(kStations[i].name, name) == 0) return static_cast<int>(i);
    }
    return -1;
  }
  double length(int from, int to) const {
    for (const Leg& leg : out_[from]) {
      if (leg.to == to) return leg.km;
    }
    return 0;
  }

 private:
  struct Leg {
    int to;
    double km;
  };
  std::vector<std::vector<Leg>> out_;
};

// The profiling hook: sees each station that is opened and closed. Leave out what you do not need.
struct Profiler {
  int opened = 0, closed = 0;
  void on_open(int, double, double) { ++opened; }
  void on_close(int, double) { ++closed; }
};

int main(int argc, char** argv) {
  if (argc != 1 && argc != 3) {
    std::fprintf(stderr, "usage: train_network [FROM TO]\n");
    return 2;
  }
  const char* from = argc == 3 ? argv[1] : "Paris";
  const char* to = argc == 3 ? argv[2] : "Vienna";

  const Network network;
  octile::GraphSearcher<Network> searcher;  // keep both for the next query: nothing is allocated
  octile::GraphPath<Network> path;          // once they are warm
  Profiler profiler;
  searcher.find(network, Network::station(from), Network::station(to), path, {}, profiler);

  if (path.status != octile::Status::found) {
    std::fprintf(stderr, "%s to %s: %s\n", from, to, path.message);
    return 1;
  }
  for (size_t i = 0; i < path.size(); ++i) {
    std::printf("%6.0f km  %s\n", i == 0 ? 0.0 : network.length(path[i - 1], path[i]),
                kStations[path[i]].name);
  }
  std::printf("%6.0f km  in all; %d stations opened, %d closed\n", path.cost, profiler.opened,
              profiler.closed);
  // The tests run this program as well, and the shortest way from Paris to Vienna is known.
  if (argc == 1 && path.cost != 1295) return 1;
  return 0;
}
