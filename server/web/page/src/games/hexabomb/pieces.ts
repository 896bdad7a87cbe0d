// Draws characters and bombs, moving between two turns or at rest.

import { keyOf, planeX, planeY } from "../../core/plane.ts";
import { slotOf, SLOTS, type Theme } from "../../core/theme.ts";
import type { GridViewport } from "../../core/viewport.ts";
import type { Frame, LaidBomb } from "./frame.ts";
import { easeOut, FLASH, type Schedule } from "./motion.ts";
import { FLAT, type Sprite, type Sprites } from "./sprites.ts";
import type { Character } from "./state.ts";

/** Sizes of characters in cell radii. */
const ALIVE = 0.6;
const GHOST = 0.56;
const ON_BOMB = 0.46;
/** On flat cells, a character fills its cell. */
const TINY = 0.85;
/** How long a revived character grows, in milliseconds. */
const REVIVING = 160;

/** What pieces are drawn with. */
export interface Stage {
  c: CanvasRenderingContext2D;
  view: GridViewport;
  sprites: Sprites;
  theme: Theme;
  specials: number;
  /** The colour of the player whose characters have halos; 0: none. */
  haloed: number;
}

/** An animation between two turns; elapsed is in milliseconds. */
export interface Passage {
  before: Frame;
  schedule: Schedule;
  elapsed: number;
}

/** Draws all pieces, the dead below the living. */
export function drawPieces(s: Stage, frame: Frame, passage: Passage | null): void {
  for (const bomb of bombsShown(frame, passage)) drawBomb(s, bomb, carried(frame, bomb));
  const occupants = new Occupants(frame, passage);
  for (const c of frame.characters)
    if (c && !occupants.living(c))
      drawDead(
        s,
        c,
        occupants,
        frame.bombs.some((b) => b.q === c.q && b.r === c.r),
      );
  for (const c of frame.characters) if (c && occupants.living(c)) drawLiving(s, frame, c, passage);
  for (const bomb of bombsShown(frame, passage)) if (carried(frame, bomb)) drawCountdown(s, bomb);
  for (const c of frame.characters) if (c && !occupants.living(c)) drawBadges(s, c, occupants);
}

/** Returns the bombs of a frame, and those of the turn before that have not exploded yet. */
function bombsShown(frame: Frame, passage: Passage | null): LaidBomb[] {
  if (!passage) return frame.bombs;
  const waiting = passage.schedule.blasts
    .filter((t) => passage.elapsed < t.start)
    .map((t) => passage.before.bombs.find((b) => b.cell === t.blast.cell))
    .filter((b): b is LaidBomb => b !== undefined);
  return [...frame.bombs, ...waiting];
}

function alive(c: Character, passage: Passage | null): boolean {
  if (c.alive) return true;
  const death = passage?.schedule.deaths.get(c.id);
  return death !== undefined && passage!.elapsed < death + FLASH;
}

/** Reports whether a character, alive or dead, is on the bomb's cell. */
function carried(frame: Frame, bomb: LaidBomb): boolean {
  return frame.characters.some((c) => c && c.q === bomb.q && c.r === bomb.r);
}

/** The characters by cell. */
class Occupants {
  private readonly dead = new Map<string, Character[]>();
  private readonly alive = new Set<string>();

  constructor(
    frame: Frame,
    private readonly passage: Passage | null,
  ) {
    for (const c of frame.characters) {
      if (!c) continue;
      const place = keyOf(c);
      if (this.living(c)) this.alive.add(place);
      else this.dead.set(place, [...(this.dead.get(place) ?? []), c]);
    }
  }

  living(c: Character): boolean {
    return alive(c, this.passage);
  }

  /** Returns the dead on the cell of c; the first of them is drawn. */
  deadWith(c: Character): Character[] {
    return this.dead.get(keyOf(c)) ?? [];
  }

  underLiving(c: Character): boolean {
    return this.alive.has(keyOf(c));
  }
}

function put(s: Stage, sprite: Sprite, x: number, y: number, scale = 1): void {
  const { ratio } = s.sprites.look;
  const w = (sprite.width / ratio) * scale;
  const h = (sprite.height / ratio) * scale;
  s.c.drawImage(sprite, x - w / 2, y - h / 2, w, h);
}

function center(s: Stage, at: { q: number; r: number }): { x: number; y: number } {
  return {
    x: s.view.originX + planeX(at) * s.view.radius,
    y: s.view.originY + planeY(at) * s.view.radius,
  };
}

function drawBomb(s: Stage, bomb: LaidBomb, carrier: boolean): void {
  const { x, y } = center(s, bomb);
  put(s, s.sprites.bomb(slotOf(bomb.color, s.specials), bomb.delay, bomb.fuse, carrier), x, y);
}

function drawCountdown(s: Stage, bomb: LaidBomb): void {
  if (s.view.radius < 9) return;
  const { x, y } = center(s, bomb);
  const r = s.view.radius;
  put(s, s.sprites.badge(String(bomb.delay), bomb.delay <= 1), x + 0.52 * r, y + 0.52 * r);
}

function drawLiving(s: Stage, frame: Frame, c: Character, passage: Passage | null): void {
  const slot = slotOf(c.color, s.specials);
  const r = s.view.radius;
  let { x, y } = center(s, c);
  let scale = 1;
  let heading: { x: number; y: number } | null = null;
  if (passage) {
    const was = passage.before.characters[c.id];
    const { move } = passage.schedule;
    const share = move > 0 ? easeOut(passage.elapsed / move) : 1;
    if (was?.alive && (was.q !== c.q || was.r !== c.r)) {
      const from = center(s, was);
      heading = { x: Math.sign(x - from.x), y: Math.sign(y - from.y) };
      const to = { x, y };
      x = from.x + (x - from.x) * share;
      y = from.y + (y - from.y) * share;
      if (passage.schedule.trails && share < 1) drawTrail(s, from, { x, y }, to);
    } else if (was && !was.alive && c.alive && move > 0) {
      const grown = easeOut(
        (passage.elapsed - Math.max(0, move - REVIVING)) / Math.min(REVIVING, move),
      );
      scale = 0.6 + 0.4 * grown;
    }
  }
  const onBomb = frame.bombs.some((b) => b.q === c.q && b.r === c.r);
  const size = onBomb ? ON_BOMB : slot < 0 ? GHOST : ALIVE;
  const death = passage?.schedule.deaths.get(c.id);
  if (death !== undefined && passage!.elapsed >= death) {
    put(s, s.sprites.flash(slot, size), x, y);
    return;
  }
  if (c.color === s.haloed) put(s, s.sprites.halo(slot), x, y);
  if (r >= 17 && slot >= 0 && !onBomb && c.bomb_count !== undefined) {
    put(s, s.sprites.dots(Math.min(2, c.bomb_count), 2), x, y + 0.8 * r);
  }
  put(s, s.sprites.alive(slot, c.id, r < FLAT ? TINY : size), x, y, scale);
  if (r >= 40 && slot >= 0 && !onBomb) drawEyes(s, slot, x, y, heading);
}

function drawTrail(
  s: Stage,
  from: { x: number; y: number },
  at: { x: number; y: number },
  to: { x: number; y: number },
): void {
  const back = 0.7;
  const { c } = s;
  const tail = { x: at.x + (from.x - to.x) * back, y: at.y + (from.y - to.y) * back };
  const start =
    Math.hypot(tail.x - at.x, tail.y - at.y) > Math.hypot(from.x - at.x, from.y - at.y)
      ? from
      : tail;
  const g = c.createLinearGradient(start.x, start.y, at.x, at.y);
  g.addColorStop(0, "#FFFFFF00");
  g.addColorStop(1, "#FFFFFFB3");
  c.strokeStyle = g;
  c.lineCap = "round";
  c.lineWidth = 0.5 * s.view.radius;
  c.beginPath();
  c.moveTo(start.x, start.y);
  c.lineTo(at.x, at.y);
  c.stroke();
}

/** Returns the offset of a shape's eyes: lower in shapes with a tip at the top. */
function eyesPlace(slot: number): number {
  return { 1: -0.14, 4: -0.3, 9: -0.3 }[slot % SLOTS] ?? -0.4;
}

function drawEyes(
  s: Stage,
  slot: number,
  x: number,
  y: number,
  heading: { x: number; y: number } | null,
): void {
  const u = ALIVE * s.view.radius;
  const { c } = s;
  const down = eyesPlace(slot);
  for (const side of [-0.27, 0.27]) {
    c.fillStyle = "#FFFFFF";
    c.beginPath();
    c.arc(x + side * u, y + down * u, 0.19 * u, 0, 7);
    c.fill();
    c.fillStyle = "#12161F";
    c.beginPath();
    c.arc(
      x + (side + (heading?.x ?? 0) * 0.07) * u,
      y + (down + (heading?.y ?? 0) * 0.07) * u,
      0.1 * u,
      0,
      7,
    );
    c.fill();
  }
}

function drawDead(s: Stage, c: Character, occupants: Occupants, onBomb: boolean): void {
  if (occupants.underLiving(c) || occupants.deadWith(c)[0] !== c) return;
  const { x, y } = center(s, c);
  const r = s.view.radius;
  const slot = slotOf(c.color, s.specials);
  const out = s.specials > 0;
  const vacant = c.revive_delay < 0;
  put(
    s,
    s.sprites.dead(
      slot,
      vacant ? "vacant" : out ? "out" : c.revive_delay === 0 ? "revivable" : "dead",
    ),
    x,
    y,
  );
  if (!out && !vacant && !onBomb && r >= 17)
    put(s, s.sprites.dots(c.revive_delay, 3), x, y + 0.76 * r);
}

function drawBadges(s: Stage, c: Character, occupants: Occupants): void {
  const dead = occupants.deadWith(c);
  if (dead[0] !== c || s.view.radius < 14) return;
  const { x, y } = center(s, c);
  const r = s.view.radius;
  if (occupants.underLiving(c)) put(s, s.sprites.badge("×", false), x - 0.52 * r, y + 0.52 * r);
  else if (dead.length > 1)
    put(s, s.sprites.badge(String(dead.length), false), x + 0.5 * r, y - 0.46 * r);
}
