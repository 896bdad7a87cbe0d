// The players' shapes, as SVG path data in units of a circle of radius 1. The
// board's canvases and the panels' icons draw from the same paths.

import { CORNERS } from "./plane.ts";
import { RING, ringsOf, SPECTRE } from "./theme.ts";

interface Point {
  x: number;
  y: number;
}

/** Returns a closed polygon whose corners, also concave ones, are rounded from that distance on. */
function rounded(points: Point[], corner: number): string {
  const parts = points.map((p, i) => {
    const before = points[(i + points.length - 1) % points.length];
    const after = points[(i + 1) % points.length];
    const inLength = Math.hypot(before.x - p.x, before.y - p.y);
    const outLength = Math.hypot(after.x - p.x, after.y - p.y);
    const u = { x: (before.x - p.x) / inLength, y: (before.y - p.y) / inLength };
    const v = { x: (after.x - p.x) / outLength, y: (after.y - p.y) / outLength };
    const half = Math.acos(Math.max(-1, Math.min(1, u.x * v.x + u.y * v.y))) / 2;
    const cut = Math.min(corner, inLength / 2, outLength / 2);
    const r = cut * Math.tan(half);
    const sweep = u.x * v.y - u.y * v.x < 0 ? 1 : 0;
    const from = `${fix(p.x + u.x * cut)} ${fix(p.y + u.y * cut)}`;
    const to = `${fix(p.x + v.x * cut)} ${fix(p.y + v.y * cut)}`;
    return `${i === 0 ? "M" : "L"}${from}A${fix(r)} ${fix(r)} 0 0 ${sweep} ${to}`;
  });
  return `${parts.join("")}Z`;
}

function fix(n: number): string {
  return String(Math.round(n * 1000) / 1000);
}

/** Returns corners on alternating radii, the first at the top. */
function ring(corners: number, radii: number[], turn = 0, dy = 0): Point[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i + turn) / corners) * 2 * Math.PI - Math.PI / 2;
    const r = radii[i % radii.length];
    return { x: Math.cos(angle) * r, y: Math.sin(angle) * r + dy };
  });
}

function box(x: number, y: number): Point[] {
  return [
    { x: -x, y: -y },
    { x, y: -y },
    { x, y },
    { x: -x, y },
  ];
}

function plus(arm: number, half: number): Point[] {
  const a = arm;
  const h = half;
  return [
    [-h, -a],
    [h, -a],
    [h, -h],
    [a, -h],
    [a, h],
    [h, h],
    [h, a],
    [-h, a],
    [-h, h],
    [-a, h],
    [-a, -h],
    [-h, -h],
  ].map(([x, y]) => ({ x, y }));
}

/** Returns a circle with a tip above it; the sides are tangents of the circle. */
function drop(radius: number, tip: number): string {
  const angle = Math.acos(radius / tip);
  const x = radius * Math.sin(angle);
  const y = -radius * Math.cos(angle);
  const near = 0.14;
  const px = x * near;
  const py = -tip + (y + tip) * near;
  return `M${fix(px)} ${fix(py)}L${fix(x)} ${fix(y)}A${radius} ${radius} 0 1 1 ${fix(-x)} ${fix(y)}L${fix(-px)} ${fix(py)}Q0 ${fix(-tip)} ${fix(px)} ${fix(py)}Z`;
}

/** Returns four leaves: arcs of radius r around the points at distance d, two of which meet at (t, t). */
function quatrefoil(reach: number): string {
  const r = reach * 0.56;
  const d = reach - r;
  const t = (d + Math.sqrt(2 * r * r - d * d)) / 2;
  const a = `A${fix(r)} ${fix(r)} 0 0 1`;
  const m = fix(t);
  const n = fix(-t);
  return `M${n} ${n}${a} ${m} ${n}${a} ${m} ${m}${a} ${n} ${m}${a} ${n} ${n}Z`;
}

const SHIELD =
  "M-.74 -.98H.74Q.92 -.98 .92 -.8V.08C.92 .64 .5 1 .13 1.17Q0 1.23 -.13 1.17C-.5 1 -.92 .64 -.92 .08V-.8Q-.92 -.98 -.74 -.98Z";

const GHOST =
  "M-.92 -.06A.92 .92 0 0 1 .92 -.06V.9Q.92 1.1 .72 .98L.48 .8Q.31 .68 .16 .84L.08 .94Q0 1.02 -.08 .94L-.16 .84Q-.31 .68 -.48 .8L-.72 .98Q-.92 1.1 -.92 .9Z";

const CIRCLE = "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z";

const SHAPES: string[] = [
  CIRCLE,
  rounded(ring(3, [1.42], 0, 0.2), 0.62),
  rounded(box(0.9, 0.9), 0.34),
  rounded(ring(4, [1.22]), 0.32),
  rounded(ring(10, [1.3, 0.74]), 0.26),
  rounded(plus(1.06, 0.46), 0.26),
  rounded(ring(3, [1.42], 1.5, -0.2), 0.62),
  rounded(ring(6, [1.1], 0.5), 0.3),
  rounded(box(1.26, 0.78), 0.78),
  drop(0.98, 1.32),
  quatrefoil(1.08),
  SHIELD,
];

/** The filled part of a cell of radius 1: slightly smaller, with rounded corners. */
export const TILE = rounded(
  CORNERS.map((c) => ({ x: c.x * 0.955, y: c.y * 0.955 })),
  0.2,
);

/** Returns the letter of a slot, for marks that are letters. */
export function letterOf(slot: number): string {
  return slot === SPECTRE ? "*" : String.fromCharCode(65 + (slot % 26));
}

/** Returns the shape of a slot. */
export function shapeOf(slot: number): string {
  return slot === SPECTRE ? GHOST : SHAPES[slot % SHAPES.length];
}

/** Returns the font size of the number on a shape and its offset downwards, in units. */
export function numberPlace(slot: number, digits: number): { size: number; down: number } {
  const size = digits > 1 ? 0.96 : 1.14;
  const down = [0, 0.2, 0, 0, 0.06, 0, -0.14, 0, 0, 0.2, 0, 0][slot === SPECTRE ? 0 : slot % 12];
  return { size, down };
}

/** Sizes of the rings inside a shape or a cell, as shares of it, and their line width. */
const RING_SIZES = [0.72, 0.4];
const RING_WIDTH = 0.16;

/** Returns the scales of a slot's rings for SVG, and their line widths before scaling. */
export function ringsInside(slot: number): { scale: number; width: number }[] {
  return RING_SIZES.slice(0, ringsOf(slot)).map((scale) => ({ scale, width: RING_WIDTH / scale }));
}

/** Draws the rings of a slot inside a path of radius 1 at the origin. */
export function drawRings(c: CanvasRenderingContext2D, slot: number, path: Path2D): void {
  for (const { scale, width } of ringsInside(slot)) {
    c.save();
    c.scale(scale, scale);
    c.lineJoin = "round";
    c.lineWidth = width;
    c.strokeStyle = RING;
    c.stroke(path);
    c.restore();
  }
}

const paths = new Map<number, Path2D>();

/** Returns the shape for a canvas. */
export function shapePath(slot: number): Path2D {
  const key = slot === SPECTRE ? slot : slot % SHAPES.length;
  let path = paths.get(key);
  if (!path) paths.set(key, (path = new Path2D(shapeOf(slot))));
  return path;
}
