// The drawn examples of the rules: three small boards with cells of radius 1.

import type { ComponentChildren } from "preact";
import { Grid } from "../../core/grid.ts";
import { type Coord, CORNERS, DIRECTIONS, planeX, planeY, SQRT3 } from "../../core/plane.ts";
import { numberPlace, shapeOf, TILE } from "../../core/shape.ts";
import { mix, paintOf, type Theme } from "../../core/theme.ts";
import { DIRECTION_NAMES } from "./actions.ts";
import { type Blast, coverage } from "./blast.ts";
import { adopt } from "../../ui/lazy.tsx";
import STYLES from "sheet:examples.css";

adopt(STYLES);

const BLUE = 0;
const ORANGE = 1;
const RANGE = 2;
const MIDDLE: Coord = { q: 0, r: 0 };
const HEXAGON = `M${CORNERS.map((c) => `${c.x.toFixed(3)} ${c.y.toFixed(3)}`).join("L")}Z`;

/** Returns the board of all examples without some of its cells. */
function board(...holes: Coord[]): Grid {
  const cells: Coord[] = [];
  for (let r = -RANGE; r <= RANGE; r++) {
    for (let q = Math.max(-RANGE, -RANGE - r); q <= Math.min(RANGE, RANGE - r); q++)
      cells.push({ q, r });
  }
  return new Grid(cells.filter((c) => !holes.some((h) => h.q === c.q && h.r === c.r)));
}

function at(c: Coord): string {
  return `translate(${planeX(c).toFixed(3)} ${planeY(c).toFixed(3)})`;
}

/** owners[cell] is the slot of the owner; undefined: free. */
type Owners = (number | undefined)[];

function Board({
  theme,
  grid,
  owners,
  name,
  children,
}: {
  theme: Theme;
  grid: Grid;
  owners: Owners;
  name: string;
  children: ComponentChildren;
}) {
  const { left, top, right, bottom } = grid.bounds;
  const cells = Array.from(grid.q, (q, cell) => ({ cell, place: at({ q, r: grid.r[cell] }) }));
  return (
    <svg
      viewBox={`${left - 0.3} ${top - 0.3} ${right - left + 0.6} ${bottom - top + 0.6}`}
      fill="none"
      role="img"
      aria-label={name}
    >
      {cells.map(({ cell, place }) => (
        <path
          key={cell}
          d={HEXAGON}
          transform={place}
          stroke={theme.rim}
          stroke-width="0.42"
          stroke-linejoin="round"
        />
      ))}
      {cells.map(({ cell, place }) => (
        <g key={cell} transform={place}>
          <Cell theme={theme} grid={grid} owners={owners} cell={cell} />
        </g>
      ))}
      {children}
    </svg>
  );
}

/** A cell with its owner's mark, and with an outline where the neighbour has another owner. */
function Cell({
  theme,
  grid,
  owners,
  cell,
}: {
  theme: Theme;
  grid: Grid;
  owners: Owners;
  cell: number;
}) {
  const owner = owners[cell];
  if (owner === undefined)
    return (
      <>
        <path d={HEXAGON} fill={theme.seam} />
        <path d={TILE} fill={theme.freeFill} />
      </>
    );
  const { fill, line } = paintOf(theme, owner);
  const edges = DIRECTIONS.map((_, i) => i).filter(
    (i) => owners[grid.neighbours[6 * cell + i]] !== owner,
  );
  const corner = (i: number) =>
    `${(CORNERS[i % 6].x * 0.94).toFixed(3)} ${(CORNERS[i % 6].y * 0.94).toFixed(3)}`;
  return (
    <>
      <path
        d={HEXAGON}
        fill={theme.name === "dark" ? mix(fill, "#000000", 0.24) : mix(fill, "#FFFFFF", 0.38)}
      />
      <path d={TILE} fill={fill} />
      <path
        d={shapeOf(owner)}
        transform="scale(0.21)"
        fill={line}
        opacity={theme.name === "dark" ? 0.38 : 0.29}
      />
      <path
        d={edges.map((i) => `M${corner(i)}L${corner(i + 1)}`).join("")}
        stroke={line}
        stroke-width="0.12"
        stroke-linecap="round"
      />
    </>
  );
}

function Character({
  theme,
  slot,
  id,
  place,
}: {
  theme: Theme;
  slot: number;
  id: number;
  place: Coord;
}) {
  const { body, ink } = paintOf(theme, slot);
  const { size, down } = numberPlace(slot, 1);
  return (
    <g transform={`${at(place)} scale(0.6)`}>
      <path
        d={shapeOf(slot)}
        fill={body}
        stroke="#FFFFFF"
        stroke-width="0.42"
        stroke-linejoin="round"
        paint-order="stroke"
      />
      <text y={down + 0.36 * size} font-size={size} fill={ink}>
        {id}
      </text>
    </g>
  );
}

function Bomb({
  theme,
  slot,
  delay,
  fuse,
  place,
}: {
  theme: Theme;
  slot: number;
  delay: number;
  fuse: number;
  place: Coord;
}) {
  const { line, body } = paintOf(theme, slot);
  const lit = theme.name === "dark" ? line : body;
  const hot = delay <= 1;
  const left = `${"0.88 0.12 ".repeat(delay)}0 ${fuse}`;
  const ring = {
    r: 0.6,
    fill: "none",
    "stroke-width": 0.18,
    "stroke-dashoffset": -0.06,
    transform: "rotate(-90)",
    pathLength: fuse,
  };
  return (
    <g transform={at(place)}>
      <circle r="0.72" fill={theme.bomb} />
      <circle {...ring} stroke={mix(lit, "#000000", 0.62)} stroke-dasharray="0.88 0.12" />
      <circle {...ring} stroke={hot ? theme.core : lit} stroke-dasharray={left} />
      <text y="0.24" font-size="0.66" fill={hot ? theme.core : "#FFFFFF"}>
        {delay}
      </text>
    </g>
  );
}

/** The lines that a bomb covers, with crossbars at their ends except on marked cells. */
function Reach({
  theme,
  grid,
  blast,
  marked = [],
}: {
  theme: Theme;
  grid: Grid;
  blast: Blast;
  marked?: number[];
}) {
  const ink = theme.name === "dark" ? theme.core : theme.text1;
  return (
    <g
      transform={at({ q: grid.q[blast.cell], r: grid.r[blast.cell] })}
      stroke={ink}
      stroke-linecap="round"
    >
      {blast.rays.map((ray, d) => {
        if (ray.length === 0) return null;
        const end = SQRT3 * ray.length;
        const bar = !marked.includes(ray.at(-1)!);
        return (
          <g key={d} transform={`rotate(${60 * d - 60})`}>
            <path
              d={`M0.9 0H${(end - (bar ? 0.1 : 0.4)).toFixed(3)}`}
              stroke-width="0.14"
              stroke-dasharray="0 0.3"
            />
            {bar && <path d={`M${end.toFixed(3)} -0.24V0.24`} stroke-width="0.1" />}
          </g>
        );
      })}
    </g>
  );
}

function blastAt(grid: Grid, place: Coord, slot: number): Blast {
  const cell = grid.at(place.q, place.r);
  return {
    cell,
    color: slot + 1,
    range: RANGE,
    link: 0,
    chain: 0,
    rays: DIRECTIONS.map((_, d) => grid.ray(cell, d, RANGE)),
  };
}

/** Returns the owners of cells after explosions, and the cells that are equally close to two owners. */
function painted(blasts: Blast[]): { owners: Owners; ties: number[] } {
  const owners: Owners = [];
  const ties: number[] = [];
  for (const [cell, { by }] of coverage(blasts)) {
    if (by.every((b) => b.color === by[0].color)) owners[cell] = by[0].color - 1;
    else ties.push(cell);
  }
  return { owners, ties };
}

function Move({ theme }: { theme: Theme }) {
  const grid = board();
  const other: Coord = { q: 0, r: 1 };
  const bomb: Coord = { q: -1, r: 0 };
  const owners: Owners = [];
  owners[grid.at(0, 0)] = owners[grid.at(bomb.q, bomb.r)] = BLUE;
  owners[grid.at(other.q, other.r)] = ORANGE;
  const open = DIRECTIONS.map((_, i) => i).filter(
    (i) => ![other, bomb].some((c) => c.q === DIRECTIONS[i].q && c.r === DIRECTIONS[i].r),
  );
  return (
    <Board
      theme={theme}
      grid={grid}
      owners={owners}
      name="The six directions x+, y+, z+, x−, y−, z−. A character and a bomb block two of them."
    >
      {open.map((i) => (
        <path
          key={i}
          d="M1.05 0H1.9M1.62 -0.28L1.9 0L1.62 0.28"
          transform={`rotate(${60 * i - 60})`}
          stroke={theme.text1}
          stroke-width="0.13"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      ))}
      {Object.entries(DIRECTION_NAMES).map(([name, { q, r }]) => (
        <text
          key={name}
          x={planeX({ q: 2 * q, r: 2 * r })}
          y={planeY({ q: 2 * q, r: 2 * r }) + 0.22}
          font-size="0.7"
          fill={theme.text2}
        >
          {name.replace("-", "−")}
        </text>
      ))}
      <Bomb theme={theme} slot={BLUE} delay={3} fuse={4} place={bomb} />
      <Character theme={theme} slot={BLUE} id={0} place={MIDDLE} />
      <Character theme={theme} slot={ORANGE} id={4} place={other} />
    </Board>
  );
}

function Blocked({ theme }: { theme: Theme }) {
  const grid = board({ q: 1, r: 0 });
  const behind: Coord = { q: 2, r: 0 };
  const blast = blastAt(grid, MIDDLE, BLUE);
  const { owners } = painted([blast]);
  owners[grid.at(behind.q, behind.r)] = ORANGE;
  return (
    <Board
      theme={theme}
      grid={grid}
      owners={owners}
      name="A bomb of range 2 covers five lines. The sixth ends at a hole, and the character behind it is safe."
    >
      <Reach theme={theme} grid={grid} blast={blast} />
      <Bomb theme={theme} slot={BLUE} delay={1} fuse={3} place={MIDDLE} />
      <Character theme={theme} slot={ORANGE} id={4} place={behind} />
    </Board>
  );
}

function Chain({ theme }: { theme: Theme }) {
  const grid = board();
  const first: Coord = { q: -2, r: 0 };
  const blasts = [blastAt(grid, first, BLUE), blastAt(grid, MIDDLE, ORANGE)];
  const { owners, ties } = painted(blasts);
  const [due, lit] = blasts;
  // The line between the two is drawn once.
  const onward = { ...lit, rays: lit.rays.map((ray) => (ray.includes(due.cell) ? [] : ray)) };
  return (
    <Board
      theme={theme}
      grid={grid}
      owners={owners}
      name="A bomb that is due covers another, which explodes, too. Three cells that are equally close to both become free."
    >
      {[due, onward].map((b) => (
        <Reach key={b.cell} theme={theme} grid={grid} blast={b} marked={ties} />
      ))}
      {ties.map((cell) => (
        <path
          key={cell}
          transform={at({ q: grid.q[cell], r: grid.r[cell] })}
          d="M-0.2 -0.2L0.2 0.2M0.2 -0.2L-0.2 0.2"
          stroke={theme.text1}
          stroke-width="0.14"
          stroke-linecap="round"
        />
      ))}
      <Bomb theme={theme} slot={BLUE} delay={1} fuse={3} place={first} />
      <Bomb theme={theme} slot={ORANGE} delay={3} fuse={4} place={MIDDLE} />
    </Board>
  );
}

export function Examples({ theme }: { theme: Theme }) {
  return (
    <div class="examples">
      <figure>
        <Move theme={theme} />
        <figcaption>Six directions. Characters and bombs block the way.</figcaption>
      </figure>
      <figure>
        <Blocked theme={theme} />
        <figcaption>A line ends at the first hole: 4 is safe behind it.</figcaption>
      </figure>
      <figure>
        <Chain theme={theme} />
        <figcaption>A covered bomb explodes, too. ×: equally close to both.</figcaption>
      </figure>
    </div>
  );
}
