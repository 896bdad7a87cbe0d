// The timeline: a band that the game draws, the events, and the controls of the
// player.

import { useEffect, useRef } from "preact/hooks";
import { framed } from "../core/address.ts";
import type { Track as Place } from "../core/board.ts";
import { type EventKind, type GameEvent, REFUSED } from "../core/events.ts";
import { jump } from "../core/jump.ts";
import type { Page } from "../core/page.ts";
import { SPEEDS } from "../core/player.ts";
import type { Session } from "../core/session.ts";
import { count, number } from "../core/text.ts";
import { paintOf } from "../core/theme.ts";
import { TurnCard, useHover } from "./hovercard.ts";
import { BURST, Icon, type IconName } from "./icons.tsx";
import { SPEED_NAMES } from "./more.tsx";
import { Tabs } from "./tabs.tsx";
import { turnNumber } from "../core/turns.ts";

/** Height of the row of ticks, and the least distance between two, in pixels: the width of the widest. */
const TICKS = 24;
const TICK_STEP = 13;

/** The most important first: of events in one place, only that one has a tick. */
const WEIGHT: EventKind[] = [
  "lead",
  "chain",
  "swing",
  "out",
  "death",
  "skip",
  "gone",
  "refused",
  "end",
];

/** inert: another page lies over it. */
export function Timeline({ session, inert }: { session: Page; inert: boolean }) {
  const { player, store, game } = session;
  const { first = 0, total } = game;
  const shown = game.count(player.turn);
  const all = game.unit === "move" ? game.count(store.last) : number(total);
  const behind = store.last - player.turn;
  const live = session.recording === null && !store.end;
  const play = useRef<HTMLButtonElement>(null);
  // Space plays a recording at once, unless the viewer has moved the focus already, or is at the page around a frame.
  useEffect(() => {
    if (!framed && session.recording !== null && document.activeElement === document.body)
      play.current?.focus();
  }, []);
  const { hover, handlers } = useHover((share) => {
    const turn = Math.round(first + share * (total - first));
    return turn > store.last || turn < 0 ? null : turn;
  });
  const value = `${turnNumber(player.turn)} of ${total}${live ? `, live at ${turnNumber(store.last)}` : ""}`;
  return (
    <section class="timeline" aria-label="Timeline" inert={inert}>
      <div class="controls">
        <Control name="first" label={`First ${game.unit}`} onClick={() => session.goTo(0)} />
        <Control name="lastEvent" label="Previous event" onClick={() => jump(session, -1)} />
        <Control name="back" label={`Back one ${game.unit}`} onClick={() => player.step(-1)} />
        <button
          ref={play}
          class="play"
          aria-label={player.playing ? "Pause" : "Play"}
          onClick={() => player.toggle()}
        >
          <Icon name={player.playing ? "pause" : "play"} size={22} />
        </button>
        <Control name="on" label={`Forward one ${game.unit}`} onClick={() => player.step(1)} />
        <Control name="nextEvent" label="Next event" onClick={() => jump(session, 1)} />
        <span class="turn">
          <b>{shown}</b> / {all}
          {game.unit === "move" && <i> {all === "1" ? "move" : "moves"}</i>}
        </span>
        {live && behind > 0 && !player.following && (
          <span class="pill behind">{count(behind, game.unit)} behind</span>
        )}
        <span class="space" />
        <Tabs
          label="Speed"
          options={SPEEDS.map((s) => [s, SPEED_NAMES[s]] as const)}
          value={player.speed as (typeof SPEEDS)[number]}
          onSelect={(s) => player.setSpeed(s)}
        />
        {live && (
          <button class="pill live" aria-pressed={player.following} onClick={() => player.follow()}>
            <i class={session.cutOff ? "dot off" : "dot"} /> {player.following ? "Live" : "Go live"}
          </button>
        )}
      </div>
      <div class="track" {...handlers}>
        {hover && <TurnCard session={session} hover={hover} />}
        <Track session={session} total={total} />
        <div
          class="playhead"
          style={{
            left: `${(100 * Math.max(0, player.turn - first)) / Math.max(1, total - first)}%`,
          }}
        />
        <input
          type="range"
          min={first}
          max={total}
          value={player.turn}
          aria-label="Turn"
          aria-valuetext={value}
          onInput={(e) => session.goTo(Math.min(Number(e.currentTarget.value), store.last))}
        />
      </div>
    </section>
  );
}

function Control({ name, label, onClick }: { name: IconName; label: string; onClick: () => void }) {
  return (
    <button class="control" aria-label={label} title={label} onClick={onClick}>
      <Icon name={name} size={22} />
    </button>
  );
}

function Track({ session, total }: { session: Page; total: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => draw(canvas.current!, session));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  const { store, player } = session;
  useEffect(
    () => draw(canvas.current!, session),
    [
      store.last,
      store.end,
      store.start?.id,
      player.turn,
      session.theme,
      session.filter,
      session.followed,
      total,
    ],
  );
  return <canvas ref={canvas} aria-hidden="true" />;
}

function draw(canvas: HTMLCanvasElement, session: Page): void {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (width === 0) return;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const c = canvas.getContext("2d")!;
  c.scale(ratio, ratio);
  const { store, player, theme, game } = session;
  const { first = 0, total } = game;
  const x = (turn: number) => (Math.max(0, turn - first) / Math.max(1, total - first)) * width;
  const top = TICKS;
  const track = { top, height: height - top, width };

  c.save();
  c.beginPath();
  c.roundRect(0, top, width, track.height, 6);
  c.clip();
  c.fillStyle = theme.raised;
  c.fillRect(0, top, width, track.height);
  game.drawTrack(c, x, track);
  if (player.turn < store.last) {
    c.globalAlpha = 0.55;
    c.fillStyle = theme.panel;
    c.fillRect(x(player.turn), top, x(store.last) - x(player.turn), track.height);
    c.globalAlpha = 1;
  }
  if (store.last < total) hatch(c, theme.rule, x(store.last), track);
  c.restore();
  if (session.recording === null && !store.end && store.last > player.turn) {
    c.fillStyle = theme.live;
    c.fillRect(x(store.last) - 1.5, top - 4, 3, track.height + 4);
  }
  drawTicks(c, session, x);
}

function hatch(c: CanvasRenderingContext2D, color: string, from: number, track: Place): void {
  c.save();
  c.beginPath();
  c.rect(from, track.top, track.width - from, track.height);
  c.clip();
  c.strokeStyle = color;
  c.globalAlpha = 0.6;
  c.lineWidth = 1;
  c.beginPath();
  for (let at = from - track.height; at < track.width; at += 8) {
    c.moveTo(at, track.top + track.height);
    c.lineTo(at + track.height, track.top);
  }
  c.stroke();
  c.restore();
}

function drawTicks(c: CanvasRenderingContext2D, session: Page, x: (turn: number) => number): void {
  const events = session
    .shownEvents()
    .filter((e) => e.kind !== "refused" || session.filter === REFUSED)
    .sort((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind));
  const taken: number[] = [];
  for (const e of events) {
    const at = Math.max(5, Math.min(x(e.turn), c.canvas.clientWidth - 6));
    if (taken.some((other) => Math.abs(other - at) < TICK_STEP)) continue;
    taken.push(at);
    drawTick(c, session, e, at);
  }
}

const burst = new Path2D(BURST);

/** Draws the tick of an event around x, at the top. */
export function drawTick(
  c: CanvasRenderingContext2D,
  session: Session,
  event: GameEvent,
  x: number,
): void {
  const { theme } = session;
  const line = event.player >= 0 ? paintOf(theme, session.slot(event.player)).line : theme.text2;
  c.save();
  c.translate(x, 10);
  switch (event.kind) {
    case "lead":
    case "end":
      c.strokeStyle = theme.text1;
      c.lineWidth = 1.5;
      c.beginPath();
      c.moveTo(-3, -7);
      c.lineTo(-3, 9);
      c.stroke();
      c.fillStyle = line;
      c.beginPath();
      for (const [px, py] of [
        [-2.2, -7],
        [7, -3],
        [-2.2, 1],
      ])
        c.lineTo(px, py);
      c.fill();
      break;
    case "chain":
      c.scale(0.55, 0.55);
      c.fillStyle = theme.name === "dark" ? theme.flame : theme.edge;
      c.fill(burst);
      break;
    case "swing":
      c.fillStyle = line;
      c.beginPath();
      for (const [px, py] of [
        [-4.5, 4],
        [4.5, 4],
        [0, -3],
      ])
        c.lineTo(px, py);
      c.fill();
      break;
    case "out":
    case "death":
      c.fillStyle = line;
      c.beginPath();
      for (const [px, py] of [
        [-4.5, -3],
        [4.5, -3],
        [0, 4],
      ])
        c.lineTo(px, py);
      c.fill();
      break;
    default:
      c.strokeStyle = event.kind === "refused" ? theme.text3 : theme.warning;
      c.lineWidth = 2;
      c.beginPath();
      c.arc(0, 0, 3, 0, 2 * Math.PI);
      c.stroke();
  }
  c.restore();
}
