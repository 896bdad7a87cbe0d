// Curves by turn: score, cells, thinking time, or who is alive.

import type uPlot from "uplot";
import type { Seat } from "./feed.ts";
import { usePlot, type Plot } from "./plot.ts";
import type { Measure, Session } from "./session.ts";
import { drawRings, shapePath } from "./shape.ts";
import { measuresOf } from "./stories.ts";
import { FONT } from "./sprites.ts";
import { Tabs } from "./tabs.tsx";
import { milliseconds, number } from "./text.ts";
import { paintOf, ringsOf } from "./theme.ts";

const HEIGHT = 176;
const LOW_HEIGHT = 120;
const lowWindow = matchMedia("(max-height: 900px)");
/** Room at the right for the shapes that name the lines. */
const LABELS = 34;
const LABEL_STEP = 17;
/** Lines of players whose colours come for the first, second and third time. */
const DASHES: number[][] = [[], [9, 4], [3, 3]];
const NAMES: Record<Measure, string> = { score: "Score", cells: "Cells", alive: "Alive", thinking: "Thinking" };

export function Chart({ session }: { session: Session }) {
  const { measure, theme, store, player } = session;
  const measures = store.start ? measuresOf(store.start) : [];

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
  const lines: readonly (number | null)[][] = measure === "thinking" ? store.answers.thinking : store.chronicle[measure];
  return [turns, ...lines.map((line) => line.slice(0, end))];
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
    scales: { x: { time: false, range: (_, __, max) => [0, Math.max(10, max)] }, y: { range: (_, __, max) => [0, Math.max(4, 1.05 * Math.max(max ?? 0, limitOf(session)))] } },
    axes: [
      { ...axis, size: 26, gap: 6, space: 60 },
      { ...axis, size: 48, gap: 8, space: 30, grid: { stroke: theme.rule, width: 1 } },
    ],
    series: [{}, ...store.seats.map((s): uPlot.Series => ({
      show: charted(session, s),
      stroke: paintOf(theme, session.slot(s.id)).line,
      width: 2.5,
      dash: DASHES[ringsOf(session.slot(s.id))],
      points: { show: false },
    }))],
    hooks: { drawAxes: [(u) => drawLimit(u, session)], draw: [(u) => drawLate(u, session), (u) => drawLabels(u, session)] },
  };
}

/** The special player never dies, so among the living it is no news. */
function charted(session: Session, seat: Seat): boolean {
  return !(seat.special && session.measure === "alive");
}

/** The time that an answer may take, where that is shown and known; else 0. */
function limitOf({ measure, store }: Session): number {
  return measure === "thinking" ? store.answers.limit : 0;
}

function drawLimit(u: uPlot, session: Session): void {
  const limit = limitOf(session);
  if (limit === 0) return;
  const c = u.ctx;
  const y = u.valToPos(limit, "y", true);
  c.save();
  c.strokeStyle = session.theme.warning;
  c.lineWidth = devicePixelRatio;
  c.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  c.beginPath();
  c.moveTo(u.bbox.left, y);
  c.lineTo(u.bbox.left + u.bbox.width, y);
  c.stroke();
  c.fillStyle = session.theme.text2;
  c.font = `${11 * devicePixelRatio}px ${FONT}`;
  c.textAlign = "left";
  c.textBaseline = "bottom";
  c.fillText(`limit ${milliseconds(limit)}`, u.bbox.left + 6 * devicePixelRatio, y - 4 * devicePixelRatio);
  c.restore();
}

/** A late answer has no time of its own: a ring at the limit stands for it, one for each pixel. */
function drawLate(u: uPlot, session: Session): void {
  const limit = limitOf(session);
  if (limit === 0) return;
  const { store, player, theme } = session;
  const c = u.ctx;
  const y = u.valToPos(limit, "y", true);
  c.save();
  c.lineWidth = 2 * devicePixelRatio;
  for (const seat of store.seats) {
    c.strokeStyle = paintOf(theme, session.slot(seat.id)).line;
    let last = -1;
    for (const turn of store.answers.late[seat.id]) {
      const x = Math.round(u.valToPos(turn, "x", true));
      if (turn > player.turn) break;
      if (x === last) continue;
      last = x;
      c.beginPath();
      c.arc(x, y, 3.5 * devicePixelRatio, 0, 2 * Math.PI);
      c.stroke();
    }
  }
  c.restore();
}

/** The last value of a line that has one there. */
function newest(line: uPlot.AlignedData[number] | undefined): number {
  for (let i = (line?.length ?? 0) - 1; i >= 0; i--) {
    const value = line![i];
    if (value != null) return value;
  }
  return 0;
}

/** Each line ends in its player's shape; those that would overlap are pushed apart. */
function drawLabels(u: uPlot, session: Session): void {
  const ratio = devicePixelRatio;
  const step = LABEL_STEP * ratio;
  const labels = session.store.seats
    .filter((s) => charted(session, s))
    .map((s) => {
      return { slot: session.slot(s.id), y: u.valToPos(newest(u.data[s.id + 1]), "y", true) };
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
    drawRings(c, slot, shapePath(slot));
    c.restore();
  }
}
