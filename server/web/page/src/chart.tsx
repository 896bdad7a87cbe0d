// Curves by turn: score, cells, thinking time, or who is alive.

import type uPlot from "uplot";
import type { Seat } from "./feed.ts";
import { usePlot, type Plot } from "./plot.ts";
import type { Measure, Session } from "./session.ts";
import { shapePath } from "./shape.ts";
import { FONT } from "./sprites.ts";
import { Tabs } from "./tabs.tsx";
import { number } from "./text.ts";
import { paintOf } from "./theme.ts";

const HEIGHT = 176;
const LOW_HEIGHT = 120;
const lowWindow = matchMedia("(max-height: 900px)");
/** Room at the right for the shapes that name the lines. */
const LABELS = 34;
const LABEL_STEP = 17;
const NAMES: Record<Measure, string> = { score: "Score", cells: "Cells", alive: "Alive", thinking: "Thinking" };

export function Chart({ session }: { session: Session }) {
  const { measure, theme, store, player } = session;
  const measures: Measure[] = store.suddenDeath ? ["alive", "cells", "thinking"] : ["score", "cells", "thinking"];

  const place = usePlot(
    session, { height, options: () => optionsFor(session), data: () => dataFor(session) },
    [theme, store.start?.id, store.seats.length, store.suddenDeath && measure === "alive"],
    [measure, theme, player.turn, store.start?.id],
  );
  return (
    <section class="chart" aria-label={`${NAMES[measure]} by turn`}>
      <header class="section">
        <h2>{NAMES[measure]} by turn</h2>
        <Tabs label="What the chart shows" options={measures.map((m) => [m, NAMES[m]] as const)} value={measure} onSelect={(m) => {
          session.measure = m;
          session.changed(true);
        }} />
      </header>
      <div class="plot" ref={place} />
    </section>
  );
}

function height(): number {
  return lowWindow.matches ? LOW_HEIGHT : HEIGHT;
}

function dataFor(session: Session): uPlot.AlignedData {
  const { store, player, measure } = session;
  const end = player.turn + 1;
  const turns = Array.from({ length: end }, (_, i) => i);
  return [turns, ...store.chronicle[measure].map((line) => line.slice(0, end))];
}

function optionsFor(session: Session): ReturnType<Plot["options"]> {
  const { theme, store } = session;
  const axis: uPlot.Axis = {
    stroke: theme.text3,
    font: `12px ${FONT}`,
    ticks: { show: false },
    grid: { show: false },
    values: (_, values) => values.map((v) => (Number.isInteger(v) ? number(v) : "")),
  };
  return {
    padding: [10, LABELS, 0, 0],
    scales: { x: { time: false, range: (_, __, max) => [0, Math.max(10, max)] }, y: { range: (_, __, max) => [0, Math.max(4, max * 1.05)] } },
    axes: [
      { ...axis, size: 26, gap: 6, space: 60 },
      { ...axis, size: 48, gap: 8, space: 30, grid: { stroke: theme.rule, width: 1 } },
    ],
    series: [{}, ...store.seats.map((s): uPlot.Series => ({
      show: charted(session, s),
      stroke: paintOf(theme, session.slot(s.id)).line,
      width: 2.5,
      points: { show: false },
    }))],
    hooks: { draw: [(u) => drawLabels(u, session)] },
  };
}

/** The special player never dies, so among the living it is no news. */
function charted(session: Session, seat: Seat): boolean {
  return !(seat.special && session.measure === "alive");
}

/** Each line ends in its player's shape; those that would overlap are pushed apart. */
function drawLabels(u: uPlot, session: Session): void {
  const ratio = devicePixelRatio;
  const step = LABEL_STEP * ratio;
  const labels = session.store.seats
    .filter((s) => charted(session, s))
    .map((s) => {
      const line = u.data[s.id + 1] as number[] | undefined;
      return { slot: session.slot(s.id), y: u.valToPos(line?.[line.length - 1] ?? 0, "y", true) };
    })
    .sort((a, b) => a.y - b.y);
  const bottom = u.bbox.top + u.bbox.height;
  for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + step);
  for (let i = labels.length - 1, floor = bottom; i >= 0; i--, floor -= step) labels[i].y = Math.min(labels[i].y, floor);
  const c = u.ctx;
  for (const { slot, y } of labels) {
    c.save();
    c.translate(u.bbox.left + u.bbox.width + 16 * ratio, y);
    c.scale(6 * ratio, 6 * ratio);
    c.lineJoin = "round";
    c.lineWidth = 0.46;
    c.strokeStyle = session.theme.name === "dark" ? "#FFFFFF" : session.theme.panel;
    c.stroke(shapePath(slot));
    c.fillStyle = paintOf(session.theme, slot).body;
    c.fill(shapePath(slot));
    c.restore();
  }
}
