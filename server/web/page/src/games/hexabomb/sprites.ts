// Sprites: the pictures that make up the board, drawn once per colour, theme, radius
// and pixel ratio. Paths, gradients and shadows would cost too much in every frame.

import type { Marks } from "../../core/board.ts";
import { hexagon, text } from "../../core/canvas.ts";
import { drawRings, letterOf, numberPlace, shapePath, TILE } from "../../core/shape.ts";
import {
  fade,
  mix,
  type Paint,
  paintOf,
  RING,
  ringsOf,
  SPECTRE,
  type Theme,
} from "../../core/theme.ts";

/** The slot of free cells. */
export const FREE = -2;

/** What sprites depend on. */
export interface Look {
  theme: Theme;
  /** Cell radius in CSS pixels; it decides the amount of detail. */
  radius: number;
  ratio: number;
  marks: Marks;
  /** Strong fills, for projectors. */
  strong: boolean;
}

/** How a character is not alive; vacant: its seat is free. */
export type Lifeless = "dead" | "out" | "revivable" | "vacant";

const TAU = 2 * Math.PI;
const tile = new Path2D(TILE);

/** From this radius on, a character has a white rim. */
const RIMMED = 6;
/** Below this radius a cell is one flat hexagon: seams and shades would be thinner than a pixel. */
export const FLAT = 5;

/** Below this radius marks of the usual size could not be told apart: every third cell has a large one. */
export const SPARSE = 8;
/** The radii of marks, in cell radii. */
const MARK = 0.21;
const SPARSE_MARK = 0.5;
/** Below this radius countdowns fill their bombs. */
const SMALL = 9;
/** Countdowns of this height in device pixels can be read. */
const LEGIBLE = 9;

/** A sprite is drawn with its centre on a point. */
export type Sprite = HTMLCanvasElement;

/** The sprites of one look, drawn when they are first needed. */
export class Sprites {
  private readonly cache = new Map<string, Sprite>();
  /** Cell radius in device pixels. */
  readonly r: number;

  constructor(readonly look: Look) {
    this.r = look.radius * look.ratio;
  }

  /** Returns old sprites if they have this look, or else new ones. */
  static like(old: Sprites | null, look: Look): Sprites {
    return old && (Object.keys(look) as (keyof Look)[]).every((key) => look[key] === old.look[key])
      ? old
      : new Sprites(look);
  }

  private get(key: string, size: number, draw: (c: CanvasRenderingContext2D) => void): Sprite {
    let sprite = this.cache.get(key);
    if (!sprite) {
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = 2 * Math.ceil(size * this.r) + 2;
      const c = sprite.getContext("2d")!;
      c.translate(sprite.width / 2, sprite.height / 2);
      c.scale(this.r, this.r);
      draw(c);
      this.cache.set(key, sprite);
    }
    return sprite;
  }

  fillOf(slot: number): string {
    if (slot === FREE) return this.look.theme.freeFill;
    const paint = paintOf(this.look.theme, slot);
    return this.look.strong ? paint.strong : paint.fill;
  }

  /** A cell: seam, tile, and its owner's mark. */
  tile(slot: number, marked: boolean): Sprite {
    return this.get(`tile ${slot} ${marked}`, 1.04, (c) => {
      const { theme } = this.look;
      const dark = theme.name === "dark";
      const fill = this.fillOf(slot);
      if (this.look.radius < FLAT) {
        hexagon(c, 0, 0, 1);
        c.fillStyle = fill;
        c.fill();
        c.fillStyle = RING;
        if (slot !== FREE && ringsOf(slot) > 0) circle(c, 0, 0, 0.3 * ringsOf(slot));
        return;
      }
      hexagon(c, 0, 0, 1.015);
      c.fillStyle =
        slot === FREE ? theme.seam : dark ? mix(fill, "#000000", 0.24) : mix(fill, "#FFFFFF", 0.38);
      c.fill();
      const shade = c.createLinearGradient(0, -1, 0, 1);
      shade.addColorStop(0, mix(fill, "#FFFFFF", dark ? 0.05 : 0.1));
      shade.addColorStop(1, mix(fill, "#000000", dark ? 0.06 : 0.03));
      c.fillStyle = shade;
      c.fill(tile);
      if (slot === FREE) return;
      drawRings(c, slot, tile);
      if (marked) this.mark(c, slot);
    });
  }

  private mark(c: CanvasRenderingContext2D, slot: number): void {
    const { theme, marks } = this.look;
    if (marks === "off") return;
    const paint = paintOf(theme, slot);
    const sparse = this.look.radius < SPARSE;
    c.fillStyle = fade(
      paint.line,
      marks === "shapes" && !sparse ? (theme.name === "dark" ? 0.38 : 0.29) : 0.8,
    );
    if (marks === "letters") {
      text(c, letterOf(slot), 0, 0, sparse ? 1.2 : 0.62);
      return;
    }
    const size = sparse ? SPARSE_MARK : MARK;
    c.scale(size, size);
    c.fill(shapePath(slot));
  }

  /** A living character: body, rim, number. size is the length of its unit in cell radii. */
  alive(slot: number, id: number, size: number): Sprite {
    return this.get(`alive ${slot} ${id} ${size}`, size * 1.9, (c) => {
      c.scale(size, size);
      const paint = paintOf(this.look.theme, slot);
      const { radius } = this.look;
      const path = shapePath(slot);
      if (slot === SPECTRE) return this.ghost(c, id, size);
      c.lineJoin = "round";
      if (radius >= RIMMED) {
        c.lineWidth = 0.42;
        c.save();
        c.translate(0, 0.16);
        c.fillStyle = c.strokeStyle = "#00000059";
        c.stroke(path);
        c.restore();
        c.strokeStyle = "#FFFFFF";
        c.stroke(path);
      }
      c.fillStyle = topLit(c, paint);
      c.fill(path);
      drawRings(c, slot, path);
      if (radius >= 14) {
        const place = numberPlace(slot, String(id).length);
        const eyes = size > 0.5 && radius >= 40;
        c.fillStyle = paint.ink;
        text(
          c,
          String(id),
          0,
          place.down + (eyes ? 0.3 : 0),
          eyes ? place.size * 0.72 : place.size,
        );
      }
    });
  }

  /** What stands out behind a character of the followed player. */
  halo(slot: number): Sprite {
    return this.get(`halo ${slot}`, 1.5, (c) => {
      const { theme } = this.look;
      const glow = c.createRadialGradient(0, 0, 0.5, 0, 0, 1.45);
      glow.addColorStop(0, fade(theme.accent, 0.75));
      glow.addColorStop(1, fade(theme.accent, 0));
      c.fillStyle = glow;
      circle(c, 0, 0, 1.45);
      c.strokeStyle = slot < 0 ? theme.accent : paintOf(theme, slot).line;
      c.lineWidth = 0.12;
      c.beginPath();
      c.arc(0, 0, 0.98, 0, TAU);
      c.stroke();
    });
  }

  private ghost(c: CanvasRenderingContext2D, id: number, size: number): void {
    const path = shapePath(SPECTRE);
    const ink = "#12161F";
    c.lineJoin = "round";
    c.lineWidth = 0.36;
    c.save();
    c.translate(0, 0.16);
    c.strokeStyle = "#00000059";
    c.stroke(path);
    c.restore();
    c.strokeStyle = ink;
    c.stroke(path);
    c.fillStyle = "#FFFFFF";
    c.fill(path);
    c.fillStyle = ink;
    for (const x of [-0.36, 0.36]) {
      c.beginPath();
      c.ellipse(x, -0.28, 0.15, 0.2, 0, 0, TAU);
      c.fill();
    }
    if (this.look.radius >= 14 && size > 0.3) text(c, String(id), 0, 0.4, 0.72);
  }

  /** The white shape of a dying character. */
  flash(slot: number, size: number): Sprite {
    return this.get(`flash ${slot} ${size}`, size * 1.9, (c) => {
      c.scale(size, size);
      c.lineJoin = "round";
      c.lineWidth = 0.42;
      c.fillStyle = c.strokeStyle = "#FFFFFF";
      c.stroke(shapePath(slot));
      c.fill(shapePath(slot));
    });
  }

  /** A dead character: a hollow shape with a cross, or with an arrow if it may revive. */
  dead(slot: number, life: Lifeless): Sprite {
    return this.get(`dead ${slot} ${life}`, 0.95, (c) => {
      const back = life === "revivable";
      c.globalAlpha = life === "out" ? 0.55 : 1;
      c.save();
      c.scale(0.5, 0.5);
      const path = shapePath(slot);
      // On the light board, free seats are ink instead of white on a dark wash.
      const ink = life === "vacant" && this.look.theme.name === "light";
      if (!ink) {
        c.fillStyle = "#0B0E1480";
        c.fill(path);
      }
      c.lineWidth = 0.2;
      c.strokeStyle = ink ? this.look.theme.text2 : "#FFFFFF";
      if (!back) c.setLineDash([0.36, 0.26]);
      c.stroke(path);
      c.setLineDash([]);
      drawRings(c, slot, path);
      c.restore();
      if (life === "vacant") return;
      c.strokeStyle = "#FFFFFF";
      c.lineWidth = 0.09;
      c.lineCap = c.lineJoin = "round";
      c.beginPath();
      if (back) {
        for (const [x, y] of [
          [0, 0.2],
          [0, -0.2],
          [-0.15, -0.05],
          [0, -0.2],
          [0.15, -0.05],
        ])
          c.lineTo(x, y);
      } else {
        for (const s of [-1, 1]) {
          c.moveTo(-0.15, -0.15 * s);
          c.lineTo(0.15, 0.15 * s);
        }
      }
      c.stroke();
    });
  }

  /** A row of dots, some of them filled: bombs in hand, or turns to wait. */
  dots(filled: number, of: number): Sprite {
    return this.get(`dots ${filled} ${of}`, 0.42, (c) => {
      for (let i = 0; i < of; i++) {
        c.beginPath();
        c.arc((i - (of - 1) / 2) * 0.22, 0, 0.085, 0, TAU);
        c.fillStyle = i < filled ? "#FFFFFF" : "#0B0E14B0";
        c.fill();
        c.lineWidth = 0.035;
        c.strokeStyle = i < filled ? "#0B0E1480" : "#FFFFFFB0";
        c.stroke();
      }
    });
  }

  /** A bomb with its fuse. If a character stands on it, the ring is larger and the number goes into a badge. */
  bomb(slot: number, delay: number, fuse: number, carrier: boolean): Sprite {
    return this.get(`bomb ${slot} ${delay} ${fuse} ${carrier}`, 1.02, (c) => {
      const { theme, radius } = this.look;
      const ring = carrier ? 0.8 : 0.6;
      c.fillStyle = "#00000040";
      circle(c, 0, 0.06, ring + 0.14);
      c.fillStyle = theme.bomb;
      circle(c, 0, 0, ring + 0.12);
      const hot = delay <= 1;
      const line =
        slot === SPECTRE
          ? theme.spectre.body
          : theme.name === "dark"
            ? paintOf(theme, slot).line
            : paintOf(theme, slot).body;
      const segments = Math.max(2, Math.min(12, fuse));
      const left = Math.max(
        1,
        Math.min(segments, Math.ceil((delay / Math.max(fuse, 1)) * segments)),
      );
      const gap = Math.min(0.1 / ring, 0.9 / segments);
      c.lineWidth = 0.18;
      for (let i = 0; i < segments; i++) {
        const from = (i / segments) * TAU - Math.PI / 2 + gap / 2;
        const to = ((i + 1) / segments) * TAU - Math.PI / 2 - gap / 2;
        c.beginPath();
        c.arc(0, 0, ring, from, to);
        c.strokeStyle = i < left ? (hot ? theme.core : line) : mix(line, "#000000", 0.62);
        c.stroke();
      }
      // Each ring of its player divides the fuse once more.
      c.lineWidth = 0.05;
      c.strokeStyle = theme.bomb;
      for (let i = 1; i <= ringsOf(slot); i++) {
        c.beginPath();
        c.arc(0, 0, ring - 0.09 + (0.18 * i) / (ringsOf(slot) + 1), 0, TAU);
        c.stroke();
      }
      const size = (delay > 9 ? 0.52 : 0.66) * (radius < SMALL ? 1.36 : 1);
      if (carrier || size * this.r < LEGIBLE) return;
      c.fillStyle = hot ? theme.core : "#FFFFFF";
      text(c, String(delay), 0, 0, size);
    });
  }

  /** A badge, such as the countdown of a bomb under a character. */
  badge(label: string, hot: boolean): Sprite {
    return this.get(`badge ${label} ${hot}`, 0.36, (c) => {
      c.fillStyle = "#0A0C11";
      c.strokeStyle = "#FFFFFF";
      c.lineWidth = 0.055;
      circle(c, 0, 0, 0.29);
      c.stroke();
      c.fillStyle = hot ? this.look.theme.flame : "#FFFFFF";
      text(c, label, 0, 0, label.length > 1 ? 0.3 : 0.38);
    });
  }
}

function circle(c: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  c.beginPath();
  c.arc(x, y, r, 0, TAU);
  c.fill();
}

function topLit(c: CanvasRenderingContext2D, paint: Paint): CanvasGradient {
  const g = c.createLinearGradient(0, -1.2, 0, 1.2);
  g.addColorStop(0, mix(paint.body, "#FFFFFF", 0.12));
  g.addColorStop(1, paint.body);
  return g;
}
