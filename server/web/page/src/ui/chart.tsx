// Curves of all players by turn: what the game measures, and thinking times.

import type uPlot from "uplot";
import { FONT } from "../core/canvas.ts";
import type { Seat } from "../core/feed.ts";
import type { Session } from "../core/session.ts";
import { drawRings, shapePath } from "../core/shape.ts";
import { spread } from "../core/spread.ts";
import type { Measure } from "../core/story.ts";
import { milliseconds, number } from "../core/text.ts";
import { paintOf, ringsOf } from "../core/theme.ts";
import { TurnCard, useHover } from "./hovercard.ts";
import { type Plot, turnUnder, usePlot } from "./plot.ts";
import { Tabs } from "./tabs.tsx";
import { shownIn } from "../core/turns.ts";

/** Height in pixels, and in low windows; the same as in base.css. */
const HEIGHT = 176;
const LOW_HEIGHT = 120;
const lowWindow = matchMedia("(max-height: 900px)");
/** Room at the right for the shapes that label the lines. */
const LABELS = 34;
const LABEL_STEP = 17;
/** Radius of a shape, and the least: shapes of many players are smaller, so that they cover less of each other. */
const LABEL_RADIUS = 6;
const LEAST_RADIUS = 4;
/** Dashes of lines whose colour is used for the first, second and third time. */
const DASHES: number[][] = [[], [9, 4], [3, 3]];
const THINKING = "Thinking";

/** Returns what the chart can show: what the game measures, and thinking times. */
function measuresOf({ store }: Session): Measure[] {
  return [...(store.story?.measures ?? []), { name: THINKING, series: store.answers.thinking }];
}

/** Returns what the chart shows now. */
function shown(session: Session): Measure {
  const measures = measuresOf(session);
  return measures.find((m) => m.name === session.measure) ?? measures[0];
}

export function Chart({ session }: { session: Session }) {
  const { theme, store, player } = session;
  const { name, ordinaryOnly } = shown(session);

  const place = usePlot(
    session,
    { height, options: () => optionsFor(session), data: () => dataFor(session) },
    [theme, store.start?.id, store.seats.length, ordinaryOnly],
    [name, theme, player.turn, store.start?.id],
  );
  const { hover, handlers } = useHover((share) => turnUnder(place.current, share));
  return (
    <section class="chart" aria-label={`${name} by turn`}>
      <header class="section">
        <h2>
          {name} by turn{name === THINKING && <small>, ms</small>}
        </h2>
        <Tabs
          label="What the chart shows"
          options={measuresOf(session).map((m) => [m.name, m.name] as const)}
          value={name}
          onSelect={(m) => {
            session.measure = m;
            session.changed(true);
          }}
        />
      </header>
      <div class="plot" ref={place} {...handlers} />
      {hover && <TurnCard session={session} hover={hover} measure={shown(session)} />}
    </section>
  );
}

function height(): number {
  return lowWindow.matches ? LOW_HEIGHT : HEIGHT;
}

function dataFor(session: Session): uPlot.AlignedData {
  const end = session.player.turn + 1;
  const turns = Array.from({ length: end }, (_, step) => shownIn(step));
  return [turns, ...shown(session).series.map((line) => line.slice(0, end))];
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
    scales: {
      x: { time: false, range: (u) => [-1, Math.max(10, u.data[0].length - 2)] },
      y: { range: (_, __, max) => [0, Math.max(4, 1.05 * Math.max(max ?? 0, limitOf(session)))] },
    },
    axes: [
      { ...axis, size: 26, gap: 6, space: 60 },
      { ...axis, size: 48, gap: 8, space: 30, grid: { stroke: theme.rule, width: 1 } },
    ],
    series: [
      {},
      ...store.seats.map((s): uPlot.Series => ({
        show: charted(session, s),
        stroke: paintOf(theme, session.slot(s.id)).line,
        width: 2.5,
        dash: DASHES[ringsOf(session.slot(s.id))],
        points: { show: false },
      })),
    ],
    hooks: {
      drawAxes: [(u) => drawLimit(u, session)],
      draw: [(u) => drawLate(u, session), (u) => drawLabels(u, session)],
    },
  };
}

/** Reports whether a player has a line. */
function charted(session: Session, seat: Seat): boolean {
  return !(seat.special && shown(session).ordinaryOnly);
}

/** Returns the time limit of answers if the chart shows thinking times; 0 if not, or if it is not known. */
function limitOf(session: Session): number {
  return shown(session).name === THINKING ? session.store.answers.limit : 0;
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
  c.fillText(
    `limit ${milliseconds(limit)}`,
    u.bbox.left + 6 * devicePixelRatio,
    y - 4 * devicePixelRatio,
  );
  c.restore();
}

/** A late answer has no thinking time: a ring at the limit marks it, at most one per pixel. */
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

/** Returns the last value of a line. */
function newest(line: uPlot.AlignedData[number] | undefined): number {
  for (let i = (line?.length ?? 0) - 1; i >= 0; i--) {
    const value = line![i];
    if (value != null) return value;
  }
  return 0;
}

/** Draws the player's shape at the end of each line; shapes that would overlap are moved apart. */
function drawLabels(u: uPlot, session: Session): void {
  const ratio = devicePixelRatio;
  const labels = session.store.seats
    .filter((s) => charted(session, s))
    .map((s) => {
      return { slot: session.slot(s.id), y: u.valToPos(newest(u.data[s.id + 1]), "y", true) };
    })
    .sort((a, b) => a.y - b.y);
  const places = spread(
    labels.map((l) => l.y),
    LABEL_STEP * ratio,
    u.bbox.top,
    u.bbox.top + u.bbox.height,
  );
  const radius = Math.min(
    LABEL_RADIUS * ratio,
    Math.max(LEAST_RADIUS * ratio, (0.4 * u.bbox.height) / labels.length),
  );
  const c = u.ctx;
  for (const [i, { slot }] of labels.entries()) {
    c.save();
    c.translate(u.bbox.left + u.bbox.width + 16 * ratio, places[i]);
    c.scale(radius, radius);
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
