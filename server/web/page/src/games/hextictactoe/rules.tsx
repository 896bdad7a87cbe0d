// The rules on one screen, with a drawn example.

import { CORNERS, planeX } from "../../core/plane.ts";
import type { Session } from "../../core/session.ts";
import { count } from "../../core/text.ts";
import type { Theme } from "../../core/theme.ts";
import { storyOf } from "./match.ts";
import { emptyFill, inkOf, slotOfSide, SYMBOLS } from "./stones.ts";
import type { Side } from "./story.ts";
import { planeY } from "./viewport.ts";
import { inWords } from "./words.ts";

/** The lengths of rows that the picture can show. */
const LONGEST = 8;
const SHORTEST = 3;

/** Returns a winning row of cross among pieces of circle. */
function example(win: number): [Side, number, number][] {
  const first = -Math.floor(win / 2);
  const row = Array.from({ length: win }, (_, i): [Side, number, number] => ["x", first + i, 0]);
  return [
    ...row,
    ["o", first - 1, 0],
    ["o", -1, 1],
    ["o", 0, 1],
    ["o", 1, -1],
    ["o", -2, -1],
    ["o", 2, -2],
  ];
}

function Example({ win, theme }: { win: number; theme: Theme }) {
  const pieces = example(win);
  const corners = CORNERS.map(
    (c) => `${(c.x * 0.955).toFixed(3)} ${(c.y * 0.955).toFixed(3)}`,
  ).join("L");
  const taken = new Set(pieces.map(([, q, r]) => `${q},${r}`));
  const empty: [number, number][] = [];
  for (let r = -2; r <= 2; r++) {
    for (let q = -6; q <= 5; q++) {
      const x = q + r / 2;
      if (x >= -5.5 && x <= 4.5 && !taken.has(`${q},${r}`)) empty.push([q, r]);
    }
  }
  const at = (q: number, r: number) =>
    `translate(${planeX({ q, r }).toFixed(3)} ${planeY({ q, r }).toFixed(3)})`;
  const [left, right] = [
    planeX({ q: pieces[0][1], r: 0 }),
    planeX({ q: pieces[win - 1][1], r: 0 }),
  ];
  return (
    <svg
      class="example"
      style={{ background: theme.stage }}
      viewBox="-10.8 -4.4 19.9 8.8"
      role="img"
      aria-label={`${capital(inWords(win))} crosses in a row, between pieces of circle`}
    >
      {empty.map(([q, r]) => (
        <path key={`${q},${r}`} fill={emptyFill(theme)} d={`M${corners}Z`} transform={at(q, r)} />
      ))}
      {pieces.map(([side, q, r]) => {
        const paint = theme.players[slotOfSide(side)];
        return (
          <g key={`${q},${r}`} transform={at(q, r)}>
            <path d={`M${corners}Z`} fill={paint.strong} stroke={paint.line} stroke-width="0.09" />
            <path
              d={SYMBOLS[side]}
              fill="none"
              stroke={inkOf(theme, side)}
              stroke-width="0.2"
              stroke-linecap="round"
            />
          </g>
        );
      })}
      <rect
        fill="none"
        stroke={theme.accent}
        stroke-width="0.15"
        x={left - 0.98}
        y={-0.98}
        width={right - left + 1.96}
        height={1.96}
        rx="0.98"
      />
    </svg>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rules where there is no match. */
const DEFAULT_RULES = { view_distance: 8, win_distance: 6, turn_limit: 0 };

export function Rules({ session }: { session: Session }) {
  const {
    view_distance: view,
    win_distance: win,
    turn_limit: limit,
  } = storyOf(session)?.rules ?? DEFAULT_RULES;
  const row = capital(inWords(win));
  return (
    <main class="page rules" tabIndex={0}>
      <h1>Hexagonal tic-tac-toe in one minute</h1>
      <p>Two sides place pieces on an endless board of hexagons. {row} in a row win.</p>
      {win >= SHORTEST && win <= LONGEST && <Example win={win} theme={session.theme} />}
      <dl>
        <div>
          <dt>Begin</dt>
          <dd>Cross has one piece in the middle. Circle moves first; then the sides take turns.</dd>
        </div>
        <div>
          <dt>Move</dt>
          <dd>
            Two pieces, one after the other, on empty cells. The second may build on the first.
          </dd>
        </div>
        <div>
          <dt>Near</dt>
          <dd>
            A piece goes at most {count(view, "cell")} from some other piece, of either side. The
            board fades out beyond that.
          </dd>
        </div>
        <div>
          <dt>Win</dt>
          <dd>
            {row} or more in a row, along one of the three lines through a cell, win at once. If the
            first piece of a move wins, there is no second.
          </dd>
        </div>
        <div>
          <dt>Loss</dt>
          <dd>A side that breaks the rules, leaves or runs out of time loses.</dd>
        </div>
        <div>
          <dt>Draw</dt>
          <dd>
            {limit > 0
              ? `After ${count(limit, "move")} without a row.`
              : "When the move limit, if any, is reached without a row."}
          </dd>
        </div>
        {win > 3 && (
          <div>
            <dt>Hint</dt>
            <dd>
              {capital(inWords(win - 2))} in a row with both ends open must be stopped at once, with
              both pieces. Two such rows cannot be stopped.
            </dd>
          </div>
        )}
      </dl>
    </main>
  );
}
