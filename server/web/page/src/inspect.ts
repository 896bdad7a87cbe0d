// Everything there is to say about a cell and what lies on it: the text of the
// tooltip, and what the cursor speaks.

import type { Frame } from "./frame.ts";
import type { Facts } from "./game.ts";
import { reachOf } from "./overlay.ts";
import { describeAction } from "./refusal.ts";
import type { Session } from "./session.ts";
import { coordinate, count, list } from "./text.ts";
import { lastAction } from "./why.ts";

export function inspect(session: Session, cell: number): Facts[] {
  const { store, player } = session;
  const frame = store.frame(player.turn);
  if (!frame || cell < 0) return [];
  const q = store.grid.q[cell];
  const r = store.grid.r[cell];
  const here = frame.characters.filter((c) => c && c.q === q && c.r === r).sort((a, b) => Number(b.alive) - Number(a.alive));
  const facts: Facts[] = [];
  const bomb = frame.bombs.find((b) => b.cell === cell);
  if (bomb) facts.push(bombFacts(session, frame, cell));
  for (const c of here.slice(0, 3)) facts.push(characterFacts(session, frame, c.id, cell));
  if (facts.length === 0) facts.push(cellFacts(session, frame, cell));
  return facts;
}

function nameOf(session: Session, color: number): string {
  return session.store.seats[color - 1]?.nickname ?? "nobody";
}

function place(session: Session, cell: number): string {
  return `q ${coordinate(session.store.grid.q[cell])}, r ${coordinate(session.store.grid.r[cell])}`;
}

function cellFacts(session: Session, frame: Frame, cell: number): Facts {
  const color = frame.colors[cell];
  const since = session.store.since(cell, frame.turn);
  return {
    title: color > 0 ? `Cell of ${nameOf(session, color)}` : "Free cell",
    slot: color > 0 ? session.slot(color - 1) : null,
    pairs: [
      ["place", place(session, cell)],
      ["since", since > 0 ? `turn ${since}` : "the start"],
    ],
  };
}

function characterFacts(session: Session, frame: Frame, id: number, cell: number): Facts {
  const c = frame.characters[id];
  const { store } = session;
  const pairs: [string, string][] = [["cell", place(session, cell)]];
  const special = store.seats[c.color - 1]?.special ?? false;
  if (c.alive) pairs.push(["state", special ? "alive, bombs without end" : `alive, ${c.bomb_count} of 2 bombs`]);
  else if (store.suddenDeath) pairs.push(["state", "dead"]);
  else pairs.push(["state", c.revive_delay === 0 ? "dead, may revive" : `dead, may revive in ${count(c.revive_delay, "turn")}`]);
  const last = lastAction(store, id, frame.turn);
  if (last) {
    const when = last.turn === frame.turn ? "" : `, at ${last.turn}`;
    pairs.push(["last action", describeAction(last.action) + when]);
    if (last.refusal) pairs.push(["refused", last.refusal]);
  }
  return { title: `#${id} of ${nameOf(session, c.color)}`, slot: session.slot(c.color - 1), pairs };
}

function bombFacts(session: Session, frame: Frame, cell: number): Facts {
  const bomb = frame.bombs.find((b) => b.cell === cell)!;
  const reach = reachOf(session.store.grid, frame, bomb);
  const owners = new Map<number, number>();
  for (const c of reach.cells) owners.set(frame.colors[c], (owners.get(frame.colors[c]) ?? 0) + 1);
  const now = [...owners]
    .sort((a, b) => b[1] - a[1])
    .map(([color, n]) => `${n} ${color > 0 ? nameOf(session, color) : "free"}`);
  const pairs: [string, string][] = [
    ["explodes", `in ${count(bomb.delay, "turn")}, at ${frame.turn + bomb.delay}`],
    ["range", String(bomb.range)],
    ["covers", count(reach.cells.size, "cell")],
    ["of these now", now.join(", ")],
  ];
  if (reach.chained.length > 0) pairs.push(["chains with", count(reach.chained.length, "bomb")]);
  return { title: `Bomb of ${nameOf(session, bomb.color)}`, slot: session.slot(bomb.color - 1), pairs };
}

/** The same as one sentence. */
export function speak(session: Session, cell: number): string {
  const facts = session.game.inspect(cell);
  return list(facts.map((f) => `${f.title}: ${f.pairs.map(([k, v]) => `${k} ${v}`).join(", ")}`));
}
