// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The colours of pictures/ (orange the search looked at, blue the one it is compared with), and
// their twins for the dark page. RGB triples; css() makes a colour of one.

export type Rgb = readonly [number, number, number];

export interface SearchTheme {
  path: Rgb;
  halo: Rgb;
  opened: Rgb;
  closed: Rgb;
}

export interface Palette {
  page: Rgb;
  floor: Rgb;
  wall: Rgb;
  trees: Rgb;
  water: Rgb;
  grid: Rgb;
  frame: Rgb;
  start: Rgb;
  goal: Rgb;
  door: Rgb;
  doorOpen: Rgb;
  ink: Rgb;
  arrow: Rgb;
  block: Rgb;
  portal: Rgb;
  hub: Rgb;
  weights: readonly Rgb[];
  heat: readonly Rgb[];
  orange: SearchTheme;
  blue: SearchTheme;
}

const heat: readonly Rgb[] = [
  [44, 20, 84],
  [66, 60, 140],
  [48, 112, 152],
  [38, 158, 140],
  [106, 196, 96],
  [250, 228, 70],
];

export const light: Palette = {
  page: [246, 247, 249],
  floor: [255, 255, 255],
  wall: [47, 52, 60],
  trees: [44, 74, 58],
  water: [44, 72, 104],
  grid: [232, 234, 238],
  frame: [196, 202, 210],
  start: [20, 140, 76],
  goal: [190, 24, 93],
  door: [150, 92, 40],
  doorOpen: [226, 196, 158],
  ink: [52, 58, 66],
  arrow: [70, 80, 96],
  block: [70, 80, 110],
  portal: [208, 58, 48],
  hub: [108, 52, 168],
  weights: [
    [243, 248, 235],
    [214, 230, 184],
    [214, 210, 156],
    [206, 180, 132],
    [180, 138, 100],
  ],
  heat,
  orange: { path: [224, 96, 16], halo: [255, 255, 255], opened: [255, 236, 204], closed: [250, 209, 148] },
  blue: { path: [28, 96, 200], halo: [255, 255, 255], opened: [219, 234, 251], closed: [160, 200, 240] },
};

export const dark: Palette = {
  page: [15, 18, 24],
  floor: [44, 51, 63],
  wall: [19, 22, 29],
  trees: [19, 42, 34],
  water: [18, 38, 62],
  grid: [52, 60, 73],
  frame: [62, 70, 84],
  start: [52, 199, 124],
  goal: [255, 92, 158],
  door: [190, 122, 60],
  doorOpen: [96, 78, 58],
  ink: [222, 226, 233],
  arrow: [190, 200, 216],
  block: [150, 166, 200],
  portal: [255, 112, 98],
  hub: [200, 150, 255],
  weights: [
    [50, 62, 58],
    [62, 78, 58],
    [84, 84, 54],
    [98, 78, 50],
    [106, 66, 44],
  ],
  heat,
  orange: { path: [255, 150, 66], halo: [19, 22, 29], opened: [92, 70, 46], closed: [130, 90, 48] },
  blue: { path: [104, 172, 255], halo: [19, 22, 29], opened: [44, 66, 100], closed: [52, 90, 146] },
};

export const css = (c: Rgb, alpha = 1): string =>
  alpha === 1 ? `rgb(${c[0]} ${c[1]} ${c[2]})` : `rgb(${c[0]} ${c[1]} ${c[2]} / ${alpha})`;

export const hex = (c: Rgb): string => `#${c.map((v) => v.toString(16).padStart(2, '0')).join('')}`;

export const packed = (c: Rgb, alpha = 255): number =>
  ((alpha << 24) | (c[2] << 16) | (c[1] << 8) | c[0]) >>> 0;

/** The colour at `t` in 0 … 1 along evenly spaced stops. */
export function ramp(stops: readonly Rgb[], t: number): Rgb {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const f = at - i;
  const a = stops[i]!;
  const b = stops[i + 1]!;
  return [0, 1, 2].map((k) => Math.round(a[k]! + (b[k]! - a[k]!) * f)) as unknown as Rgb;
}
