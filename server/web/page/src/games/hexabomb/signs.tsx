// What the signs on the board mean, drawn with its sprites.

import type { Session } from "../../core/session.ts";
import { SPECTRE, type Theme } from "../../core/theme.ts";
import { Sign } from "../../ui/sign.tsx";
import { FREE, type Sprite, Sprites } from "./sprites.ts";

const BLUE = 0;
const ORANGE = 1;
const RADIUS = 22;
const ALIVE = 0.6;
const ON_BOMB = 0.46;

/** A sprite with its place, in cell radii from the centre. */
type Part = [sprite: Sprite, x?: number, y?: number];

/** The signs: their parts from the back to the front, and what they mean. */
const SIGNS: readonly (readonly [(s: Sprites) => Part[], string])[] = [
  [
    (s) => [[s.alive(BLUE, 3, ALIVE)], [s.dots(1, 2), 0, 0.8]],
    "a character, with its number; the dots are the bombs that it has left, of two",
  ],
  [(s) => [[s.tile(BLUE, true)]], "a cell of its player: the shape is the player's"],
  [(s) => [[s.bomb(ORANGE, 3, 4, false)]], "a bomb that explodes in 3 turns; its ring burns down"],
  [
    (s) => [[s.bomb(ORANGE, 1, 4, false)]],
    "a bomb that explodes in the next turn; dotted lines show what it will cover",
  ],
  [
    (s) => [
      [s.bomb(BLUE, 2, 4, true)],
      [s.alive(BLUE, 3, ON_BOMB)],
      [s.badge("2", false), 0.52, 0.52],
    ],
    "a character on a bomb, with the bomb's countdown",
  ],
  [
    (s) => [[s.dead(BLUE, "dead")], [s.dots(2, 3), 0, 0.76]],
    "dead; the dots are the turns before it may revive",
  ],
  [(s) => [[s.dead(BLUE, "revivable")]], "dead, and may revive now"],
  [
    (s) => [[s.dead(BLUE, "dead")], [s.badge("2", false), 0.5, -0.46]],
    "two dead characters in one place",
  ],
  [
    (s) => [[s.alive(BLUE, 3, ALIVE)], [s.badge("×", false), -0.52, 0.52]],
    "a character above a dead one",
  ],
  [
    (s) => [[s.halo(BLUE)], [s.alive(BLUE, 3, ALIVE)]],
    "a character of the player that you follow; arrows show its moves, amber what was refused",
  ],
  [
    (s) => [[s.alive(SPECTRE, 0, 0.56)]],
    "the special player of sudden death, whom bombs do not kill",
  ],
  [(s) => [[s.dead(BLUE, "out")]], "dead in sudden death: it stays dead"],
];

export function Signs({ session }: { session: Session }) {
  const { theme } = session;
  return (
    <>
      <h3>On the board</h3>
      <ul>
        {SIGNS.map(([parts, means]) => (
          <Sign
            key={means}
            theme={theme}
            means={means}
            draw={(c, size) => put(c, size, theme, parts)}
          />
        ))}
        <Sign
          theme={theme}
          means="× on a free cell: bombs of two players were equally close"
          draw={(c, size) => conflict(c, size, theme)}
        />
      </ul>
    </>
  );
}

function spritesOf(theme: Theme): Sprites {
  return new Sprites({
    theme,
    radius: RADIUS,
    ratio: Math.min(devicePixelRatio || 1, 2),
    marks: "shapes",
    strong: false,
  });
}

function put(
  c: CanvasRenderingContext2D,
  size: number,
  theme: Theme,
  parts: (s: Sprites) => Part[],
): void {
  const sprites = spritesOf(theme);
  const { ratio } = sprites.look;
  // A cell below each, since pieces are white on the light panel.
  for (const [sprite, x = 0, y = 0] of [[sprites.tile(FREE, false)] as Part, ...parts(sprites)]) {
    const [w, h] = [sprite.width / ratio, sprite.height / ratio];
    c.drawImage(sprite, size / 2 + x * RADIUS - w / 2, size / 2 + y * RADIUS - h / 2, w, h);
  }
}

function conflict(c: CanvasRenderingContext2D, size: number, theme: Theme): void {
  put(c, size, theme, () => []);
  c.strokeStyle = theme.text1;
  c.lineWidth = 3;
  c.lineCap = "round";
  c.beginPath();
  for (const s of [-1, 1]) {
    c.moveTo(size / 2 - 0.2 * RADIUS, size / 2 - 0.2 * s * RADIUS);
    c.lineTo(size / 2 + 0.2 * RADIUS, size / 2 + 0.2 * s * RADIUS);
  }
  c.stroke();
}
