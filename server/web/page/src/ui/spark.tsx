// A small curve of one value over the turns. A click goes to the turn.

import type uPlot from "uplot";
import type { Session } from "../core/session.ts";
import { paintOf } from "../core/theme.ts";
import { type Plot, usePlot } from "./plot.ts";

/** Height in pixels. */
const HEIGHT = 48;
const LEAST_TURNS = 10;

interface Props {
  session: Session;
  name: string;
  /** By turn; a turn without the value is null or missing. */
  line: readonly (number | null)[];
  turn: number;
}

export function Spark({ session, name, line, turn }: Props) {
  const { theme, mine } = session;
  const color = paintOf(theme, session.slot(mine)).line;

  const data = (): uPlot.AlignedData => {
    const turns = Array.from({ length: turn + 1 }, (_, i) => i);
    return [turns, turns.map((t) => line[t] ?? null)];
  };
  const place = usePlot(
    session,
    { height: () => HEIGHT, options: () => options(color), data },
    [color],
    [turn, color, line, line.length],
  );
  const value = line[turn];
  return (
    <figure class="spark">
      <figcaption>
        <span>{name}</span>
        <b>{value === null || value === undefined ? "–" : short(value)}</b>
      </figcaption>
      <div class="line" ref={place} />
    </figure>
  );
}

const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });

function short(value: number): string {
  const digits =
    Math.abs(value) >= 1e9 || (value !== 0 && Math.abs(value) < 1e-4)
      ? value.toExponential(2)
      : NUMBER.format(value);
  return digits.replace("-", "\u2212");
}

function options(color: string): ReturnType<Plot["options"]> {
  return {
    padding: [4, 5, 4, 1],
    scales: {
      x: { time: false, range: (_, __, max) => [0, Math.max(LEAST_TURNS, max)] },
      y: {
        range: (_, min, max) =>
          min === null || min === max ? [(min ?? 0) - 1, (max ?? 0) + 1] : [min, max],
      },
    },
    axes: [{ show: false }, { show: false }],
    series: [{}, { stroke: color, width: 2, spanGaps: false, points: { show: false } }],
    hooks: { draw: [(u) => drawEnd(u, color)] },
  };
}

/** Draws a dot at the end of the line: a single value has no line. */
function drawEnd(u: uPlot, color: string): void {
  const values = u.data[1];
  const i = values.length - 1;
  const value = values[i];
  if (value == null) return;
  const { ctx } = u;
  ctx.beginPath();
  ctx.arc(
    u.valToPos(u.data[0][i], "x", true),
    u.valToPos(value, "y", true),
    3 * devicePixelRatio,
    0,
    2 * Math.PI,
  );
  ctx.fillStyle = color;
  ctx.fill();
}
