// What the board shows of a player that is followed: its cells stand out, and each of its characters has its
// last steps and what its bot asked it to do.

import { FONT, hexagon } from "../../core/canvas.ts";
import { answerOf, outcomes } from "../../core/botoutput.ts";
import type { Grid } from "../../core/grid.ts";
import { type Coord, planeX, planeY } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import { fade, paintOf, slotOf, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";
import { type Action, DIRECTION_NAMES, REFUSALS } from "./actions.ts";
import type { Frame } from "./frame.ts";
import type { BombStory } from "./story.ts";

/** The number of steps that are shown. */
export const STEPS = 6;
/** How much the cells of others are dimmed. */
const DIMMED = 0.36;
/** Labels are left out on smaller cells, in pixels. */
const LEGIBLE = 15;
/** Longer reasons would cover the neighbours. */
const LONGEST_REASON = 22;

/** An action of the turn; refused is the reason, empty if it was carried out. */
interface Intent {
  at: Coord;
  /** Where a move leads; null: another action. */
  to: Coord | null;
  refused: string;
}

export interface Trace {
  /** In the game: the player's id + 1. */
  color: number;
  /** The cells that each living character was on, the newest last. */
  steps: Coord[][];
  intents: Intent[];
}

/** Finds the traces of a player, turn after turn. */
export class Tracer {
  private frames: Frame[] = [];
  private story: BombStory | null = null;

  trace(session: Session, story: BombStory, player: number, turn: number): Trace {
    this.recall(story, turn);
    const color = player + 1;
    const now = this.frames.at(-1)!;
    const steps = now.characters
      .filter((c) => c.color === color && c.alive)
      .map(({ id }) => {
        const lived = this.frames.map((f) => f.characters[id]);
        return lived
          .slice(lived.map((c) => c?.alive ?? false).lastIndexOf(false) + 1)
          .map(({ q, r }) => ({ q, r }));
      });
    return { color, steps, intents: this.intents(session, player, turn) };
  }

  /** Keeps the last frames. Turns that follow each other cost one frame each. */
  private recall(story: BombStory, turn: number): void {
    const newest = this.frames.at(-1)?.turn;
    if (story === this.story && newest === turn) return;
    if (story !== this.story || newest !== turn - 1) this.frames = [];
    this.story = story;
    for (let t = this.frames.length > 0 ? turn : Math.max(0, turn - STEPS); t <= turn; t++)
      this.frames.push(story.frame(t));
    this.frames = this.frames.slice(-1 - STEPS);
  }

  private intents({ store }: Session, player: number, turn: number): Intent[] {
    const before = this.frames.at(-2);
    if (!before || turn === 0 || !answerOf(store, player, turn)) return [];
    return outcomes(store, player, turn).flatMap(({ action, refused }) => {
      const { id, movement, direction } = action as Action;
      const who = before.characters[id ?? -1];
      if (!who || who.color !== player + 1) return [];
      const step = movement === "move" ? DIRECTION_NAMES[direction ?? ""] : undefined;
      const reason = refused && REFUSALS.explain(refused, action);
      return [
        {
          at: { q: who.q, r: who.r },
          to: step ? { q: who.q + step.q, r: who.r + step.r } : null,
          refused: reason,
        },
      ];
    });
  }
}

/** What the functions below draw with. */
interface Sheet {
  c: CanvasRenderingContext2D;
  grid: Grid;
  view: GridViewport;
  theme: Theme;
  specials: number;
}

/** Dims the cells that are not the player's, and draws the last steps of its characters. */
export function drawBelow(
  { c, grid, view, theme, specials }: Sheet,
  frame: Frame,
  trace: Trace,
): void {
  c.fillStyle = fade(theme.stage, DIMMED);
  for (const cell of grid.cells()) {
    if (frame.colors[cell] === trace.color) continue;
    hexagon(c, view.x(cell), view.y(cell), view.radius);
    c.fill();
  }
  c.lineCap = c.lineJoin = "round";
  const line = paintOf(theme, slotOf(trace.color, specials)).line;
  for (const steps of trace.steps) {
    const cells = steps.map((s) => grid.at(s.q, s.r)).filter((cell) => cell >= 0);
    for (let i = 1; i < cells.length; i++) {
      c.beginPath();
      c.moveTo(view.x(cells[i - 1]), view.y(cells[i - 1]));
      c.lineTo(view.x(cells[i]), view.y(cells[i]));
      for (const [color, width] of [
        [theme.stage, 0.34],
        [line, 0.18],
      ] as const) {
        c.strokeStyle = fade(color, 0.25 + (0.75 * (i + STEPS + 1 - cells.length)) / STEPS);
        c.lineWidth = width * view.radius;
        c.stroke();
      }
    }
  }
}

/** Draws what the bot asked its characters to do: moves as arrows, what was refused in amber with the reason. */
export function drawAbove(sheet: Sheet, trace: Trace): void {
  const { c, view, theme } = sheet;
  const labels: { x: number; y: number }[] = [];
  c.lineCap = c.lineJoin = "round";
  for (const { at, to, refused } of trace.intents) {
    const x = view.originX + planeX(at) * view.radius;
    const y = view.originY + planeY(at) * view.radius;
    const color = refused ? theme.warning : theme.text1;
    if (to)
      drawArrow(
        sheet,
        { x, y },
        { x: view.originX + planeX(to) * view.radius, y: view.originY + planeY(to) * view.radius },
        color,
      );
    if (!refused) continue;
    if (!to) drawCross(sheet, x, y, color);
    // Of neighbours, the first one has its reason.
    if (
      view.radius < LEGIBLE ||
      labels.some((l) => Math.abs(l.y - y) < view.radius && Math.abs(l.x - x) < 3 * view.radius)
    )
      continue;
    labels.push({ x, y });
    drawReason(c, theme, x, y - 0.95 * view.radius, refused, Math.max(10, 0.3 * view.radius));
  }
}

function drawArrow(
  { c, view, theme }: Sheet,
  from: { x: number; y: number },
  to: { x: number; y: number },
  color: string,
): void {
  const r = view.radius;
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const tip = { x: from.x + dx * 1.28 * r, y: from.y + dy * 1.28 * r };
  for (const [stroke, width] of [
    [theme.stage, 0.26],
    [color, 0.13],
  ] as const) {
    c.strokeStyle = stroke;
    c.lineWidth = width * r;
    c.beginPath();
    c.moveTo(from.x + dx * 0.72 * r, from.y + dy * 0.72 * r);
    c.lineTo(tip.x, tip.y);
    for (const turn of [-2.5, 2.5]) {
      c.moveTo(tip.x, tip.y);
      c.lineTo(tip.x + Math.cos(angle + turn) * 0.3 * r, tip.y + Math.sin(angle + turn) * 0.3 * r);
    }
    c.stroke();
  }
}

function drawCross({ c, view, theme }: Sheet, x: number, y: number, color: string): void {
  const r = 0.2 * view.radius;
  const [cx, cy] = [x + 0.55 * view.radius, y - 0.45 * view.radius];
  for (const [stroke, width] of [
    [theme.stage, 0.26],
    [color, 0.13],
  ] as const) {
    c.strokeStyle = stroke;
    c.lineWidth = width * view.radius;
    c.beginPath();
    for (const s of [-1, 1]) {
      c.moveTo(cx - r, cy - s * r);
      c.lineTo(cx + r, cy + s * r);
    }
    c.stroke();
  }
}

function drawReason(
  c: CanvasRenderingContext2D,
  theme: Theme,
  x: number,
  y: number,
  reason: string,
  size: number,
): void {
  const label = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON - 1)}…` : reason;
  c.font = `700 ${size}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.lineWidth = 0.34 * size;
  c.strokeStyle = theme.stage;
  c.strokeText(label, x, y);
  c.fillStyle = theme.warning;
  c.fillText(label, x, y);
}
