import assert from "node:assert/strict";
import test from "node:test";
import { Grid } from "../src/core/grid.ts";
import { GridViewport } from "../src/core/viewport.ts";
import { EndlessViewport } from "../src/games/hextictactoe/viewport.ts";

const cells = Array.from({ length: 400 }, (_, i) => ({ q: i % 20, r: Math.floor(i / 20) }));

test("what is in the middle of a board that was moved stays there when the window changes", () => {
  const grid = new Grid(cells);
  const endless = new EndlessViewport();
  endless.show(cells, []);
  for (const view of [new GridViewport(grid), endless]) {
    view.resize(1000, 700, 92);
    view.zoomAt(300, 200, 4);
    view.pan(-120, -80);
    const middle = () => view.cellAt((view.width + view.leftInset) / 2, view.height / 2);
    const before = middle();
    assert.ok(before >= 0);
    view.resize(390, 440, 0, 10);
    assert.equal(middle(), before);
    view.resize(1000, 700, 92);
    assert.equal(middle(), before);
  }
});

test("a whole board stays whole when the window changes", () => {
  const view = new GridViewport(new Grid(cells));
  view.resize(1000, 700, 92);
  view.resize(390, 440, 0, 10, 60);
  assert.ok(!view.moved);
});
