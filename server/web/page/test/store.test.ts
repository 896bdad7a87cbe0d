import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnEvent } from "../src/core/feed.ts";
import type { State } from "../src/games/hexabomb/state.ts";
import { bomb, character, emptyStore, hexagon, play, start, storyOf, told, turn } from "./match.ts";

/** Returns 180 turns of pseudo-random changes, the same in each run. */
function changes(): TurnEvent[] {
  const cells = hexagon(3);
  let seed = 7;
  const draw = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  return Array.from({ length: 180 }, (_, i) => {
    const at = cells[draw(cells.length)];
    return turn(i + 1, {
      cells: Array.from({ length: draw(4) }, () => ({
        ...cells[draw(cells.length)],
        color: draw(3),
      })),
      characters: draw(2) ? [character(draw(4), 1, at)] : [],
      score: { 0: i, 1: 2 * i },
    });
  });
}

test("a frame is the result of all turns up to it", () => {
  const turns = changes();
  const store = play(...turns);
  const colors = new Map<string, number>();
  const naive = [new Map(colors)];
  for (const t of turns) {
    for (const c of (t.delta as Partial<State>).cells ?? []) colors.set(`${c.q},${c.r}`, c.color);
    naive.push(new Map(colors));
  }
  // Forwards, backwards and in leaps: the store must not depend on where it was before.
  const order = [
    ...Array(181).keys(),
    ...[...Array(181).keys()].reverse(),
    3,
    170,
    49,
    50,
    51,
    99,
    100,
    101,
    0,
    180,
  ];
  for (const k of order) {
    const frame = storyOf(store).frame(k);
    assert.equal(frame.turn, k);
    for (let cell = 0; cell < storyOf(store).grid.size; cell++) {
      const want =
        naive[k].get(`${storyOf(store).grid.q[cell]},${storyOf(store).grid.r[cell]}`) ?? 0;
      assert.equal(frame.colors[cell], want, `frame(${k}), cell ${cell}`);
    }
    assert.equal(frame.score[1], k === 0 ? 0 : 2 * (k - 1));
  }
});

test("turns may arrive while an old one is shown", () => {
  const turns = changes();
  const store = play(...turns.slice(0, 60));
  const old = storyOf(store).frame(7).colors.slice();
  for (const t of turns.slice(60)) store.append(t);
  assert.deepEqual(storyOf(store).frame(7).colors, old);
  assert.equal(store.last, 180);
  assert.equal(store.received, 181);
});

test("a viewer that fell behind skips to a whole state, and the gap is filled later", async () => {
  const turns = changes();
  const whole = play(...turns);
  const store = play(...turns.slice(0, 20));
  const frame = storyOf(whole).frame(70);
  const cells = [...frame.colors].map((color, i) => ({
    q: storyOf(whole).grid.q[i],
    r: storyOf(whole).grid.r[i],
    color,
  }));
  store.append({
    ...turns[69],
    delta: undefined,
    state: { ...(start().state as State), cells, characters: frame.characters },
  });
  for (const t of turns.slice(70, 170)) store.append(t);
  assert.deepEqual(store.gap, { from: 21, to: 69 });
  assert.equal(store.received, 171);
  assert.deepEqual(storyOf(store).frame(170).colors, storyOf(whole).frame(170).colors);
  const filled = store.fill(turns.slice(20, 69), async () => {});
  for (const t of turns.slice(170)) store.append(t);
  await filled;
  assert.equal(store.gap, null);
  for (const k of [20, 21, 45, 69, 70, 71, 180])
    assert.deepEqual(storyOf(store).frame(k).colors, storyOf(whole).frame(k).colors, `frame(${k})`);
  assert.deepEqual(told(store), told(whole));
});

test("a turn out of order changes nothing", () => {
  const store = play(turn(1), turn(1), turn(5));
  assert.equal(store.last, 1);
});

test("the next match starts with nothing of the last one", () => {
  const store = play(turn(1), turn(2));
  store.append(start({ id: "n" }));
  assert.equal(store.last, 0);
  assert.equal(store.received, 1);
  assert.deepEqual(store.events, []);
});

test("a lobby is not part of the history", () => {
  const store = emptyStore();
  store.append({
    type: "lobby",
    id: "a",
    phase: "gathering",
    game: "hexabomb",
    map: "m",
    seats: { players: 2, specials: 0, visualizations: 0 },
    autostart: false,
    present: [],
    addresses: [],
  });
  assert.equal(store.received, 0);
  store.append(start());
  assert.equal(store.lobby, null);
});

test("a bomb keeps the delay that its bot asked for", () => {
  const at = { q: 0, r: 0 };
  const store = play(
    turn(1, { bombs: [bomb(1, at, 4)] }),
    turn(2, { bombs: [bomb(1, at, 3)] }),
    turn(3, { bombs: [bomb(1, at, 2)] }),
  );
  assert.deepEqual(
    storyOf(store)
      .frame(3)
      .bombs.map((b) => [b.delay, b.fuse]),
    [[2, 4]],
  );
});

test("the turn since which a cell has its colour", () => {
  const cell = { q: 1, r: 1, color: 2 };
  const store = play(
    turn(1),
    turn(2, { cells: [cell] }),
    turn(3),
    turn(4, { cells: [{ ...cell, color: 1 }] }),
  );
  const i = storyOf(store).grid.at(1, 1);
  assert.deepEqual(
    [1, 2, 3, 4].map((k) => storyOf(store).since(i, k)),
    [0, 2, 2, 4],
  );
});

test("a lobby after a match clears it", () => {
  const store = play(turn(1), turn(2));
  store.append({
    type: "lobby",
    id: "n",
    phase: "gathering",
    game: "hexabomb",
    map: "m",
    seats: { players: 2, specials: 0, visualizations: 0 },
    autostart: false,
    present: [],
    addresses: [],
  });
  assert.deepEqual(
    [store.start, store.received, store.last, store.story, store.seats.length],
    [null, 0, 0, null, 0],
  );
  assert.equal(store.lobby?.id, "n");
});

test("a map that is given as the path of a file has the file's name", () => {
  for (const [map, name] of [
    ["lagoon", "lagoon"],
    ["/home/ada/maps/big.json", "big"],
    ["C:\\maps\\big.json", "big"],
    ["", ""],
  ]) {
    const store = emptyStore();
    store.append(start({ map }));
    assert.equal(store.start!.map, name);
  }
});
