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

test("a move is not shown behind what lies over the lower edge of an endless board", () => {
  for (const moved of [false, true]) {
    const view = new EndlessViewport();
    view.bottomInset = 80;
    view.resize(800, 600, 0);
    if (moved) view.pan(0, 100); // from then on the viewport only keeps the last move in sight
    for (let r = 0; r > -30; r--) {
      const played = Array.from({ length: 1 - r }, (_, i) => ({ q: 0, r: -i }));
      view.show(played, [{ q: 0, r }]);
      assert.ok(
        view.at({ q: 0, r }).y + view.radius <= 520,
        `${moved} ${r}: ${view.at({ q: 0, r }).y}`,
      );
    }
  }
});

test("a whole board stays whole when the window changes", () => {
  const view = new GridViewport(new Grid(cells));
  view.resize(1000, 700, 92);
  view.resize(390, 440, 0, 10, 60);
  assert.ok(!view.moved);
});
