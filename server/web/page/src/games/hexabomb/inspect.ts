// The facts about a cell and the pieces on it, for the tooltip and for screen
// readers.

import type { Facts } from "../../core/gameview.ts";
import type { Session } from "../../core/session.ts";
import { coordinate, count } from "../../core/text.ts";
import { describeAction } from "./actions.ts";
import type { Frame } from "./frame.ts";
import { reachOf } from "./overlay.ts";
import { type BombStory, storyOf } from "./story.ts";
import { lastAction } from "./why.ts";
import { answeredTurn, turnName, turnNumber } from "../../core/turns.ts";

/** Returns the facts about a cell at the current turn: of a bomb and up to three characters on it, or of the cell itself. */
export function inspect(session: Session, cell: number): Facts[] {
  const story = storyOf(session);
  if (!story || cell < 0) return [];
  const frame = story.frame(session.player.turn);
  const q = story.grid.q[cell];
  const r = story.grid.r[cell];
  const here = frame.characters
    .filter((c) => c && c.q === q && c.r === r)
    .sort((a, b) => Number(b.alive) - Number(a.alive));
  const facts: Facts[] = [];
  const bomb = frame.bombs.find((b) => b.cell === cell);
  if (bomb) facts.push(bombFacts(session, story, frame, cell));
  for (const c of here.slice(0, 3)) facts.push(characterFacts(session, story, frame, c.id, cell));
  if (facts.length === 0) facts.push(cellFacts(session, story, frame, cell));
  return facts;
}

function nameOf(story: BombStory, color: number): string {
  return story.seats[color - 1]?.nickname ?? "unknown";
}

function place(story: BombStory, cell: number): string {
  return `q ${coordinate(story.grid.q[cell])}, r ${coordinate(story.grid.r[cell])}`;
}

function cellFacts(session: Session, story: BombStory, frame: Frame, cell: number): Facts {
  const color = frame.colors[cell];
  const since = story.since(cell, frame.turn);
  return {
    title: color > 0 ? `Cell of ${nameOf(story, color)}` : "Free cell",
    slot: color > 0 ? session.slot(color - 1) : null,
    pairs: [
      ["place", place(story, cell)],
      ["since", since > 0 ? turnName(since) : "the start"],
    ],
  };
}

function characterFacts(
  session: Session,
  story: BombStory,
  frame: Frame,
  id: number,
  cell: number,
): Facts {
  const c = frame.characters[id];
  const pairs: [string, string][] = [["cell", place(story, cell)]];
  const special = story.seats[c.color - 1]?.special ?? false;
  if (c.alive)
    pairs.push([
      "state",
      special || story.draft ? "alive, unlimited bombs" : `alive, ${c.bomb_count} of 2 bombs`,
    ]);
  else if (story.suddenDeath) pairs.push(["state", "dead"]);
  else
    pairs.push([
      "state",
      c.revive_delay === 0
        ? "dead, may revive"
        : `dead, may revive in ${count(c.revive_delay, "turn")}`,
    ]);
  const last = lastAction(story, id, frame.turn);
  if (last) {
    const when = last.turn === frame.turn ? "" : `, in ${answeredTurn(last.turn)}`;
    pairs.push(["last action", describeAction(last.action) + when]);
    if (last.refusal) pairs.push(["refused", last.refusal]);
  }
  return { title: `#${id} of ${nameOf(story, c.color)}`, slot: session.slot(c.color - 1), pairs };
}

function bombFacts(session: Session, story: BombStory, frame: Frame, cell: number): Facts {
  const bomb = frame.bombs.find((b) => b.cell === cell)!;
  const reach = reachOf(story.grid, frame, bomb);
  const owners = new Map<number, number>();
  for (const c of reach.cells) owners.set(frame.colors[c], (owners.get(frame.colors[c]) ?? 0) + 1);
  const now = [...owners]
    .sort((a, b) => b[1] - a[1])
    .map(([color, n]) => `${n} ${color > 0 ? nameOf(story, color) : "free"}`);
  const pairs: [string, string][] = [
    ["explodes", `in ${count(bomb.delay, "turn")}, at ${turnNumber(frame.turn + bomb.delay)}`],
    ["range", String(bomb.range)],
    ["covers", count(reach.cells.size, "cell")],
    ["of these now", now.join(", ")],
  ];
  if (reach.chained.length > 0) pairs.push(["chains with", count(reach.chained.length, "bomb")]);
  return {
    title: `Bomb of ${nameOf(story, bomb.color)}`,
    slot: session.slot(bomb.color - 1),
    pairs,
  };
}
