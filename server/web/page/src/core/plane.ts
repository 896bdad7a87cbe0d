// The plane of hexagons: coordinates, directions and corners, in units of a
// cell's radius.

/** Axial coordinates of a cell. */
export interface Coord {
  q: number;
  r: number;
}

/** The six neighbours in the order of a cell's edges: from the upper right, clockwise. */
export const DIRECTIONS: readonly Coord[] = [
  { q: 1, r: -1 },
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
  { q: 0, r: -1 },
];

export const SQRT3 = Math.sqrt(3);

/** Corners of a pointy-top cell of radius 1. Edge i starts at corner i. */
export const CORNERS: readonly { x: number; y: number }[] = Array.from({ length: 6 }, (_, i) => {
  const angle = (Math.PI / 3) * i - Math.PI / 2;
  return { x: Math.cos(angle), y: Math.sin(angle) };
});

/** Returns a string that identifies a cell. */
export function keyOf({ q, r }: Coord): string {
  return `${q},${r}`;
}

/** Returns the x coordinate of a cell's centre. */
export function planeX(c: Coord): number {
  return SQRT3 * (c.q + c.r / 2);
}

/** Returns the y coordinate of a cell's centre; it grows with r. */
export function planeY(c: Coord): number {
  return 1.5 * c.r;
}

/** Returns the coordinates of the cell that contains a point. */
export function cellUnder(x: number, y: number): Coord {
  const r = y / 1.5;
  const q = x / SQRT3 - r / 2;
  let rq = Math.round(q);
  let rr = Math.round(r);
  const rs = Math.round(-q - r);
  const dq = Math.abs(rq - q);
  const dr = Math.abs(rr - r);
  const ds = Math.abs(rs + q + r);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq, r: rr };
}
