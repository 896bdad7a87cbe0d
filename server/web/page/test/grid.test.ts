import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../src/core/grid.ts";
import { cellUnder, type Coord, planeX, planeY } from "../src/core/plane.ts";
import { GridViewport } from "../src/core/viewport.ts";
import { EndlessViewport } from "../src/games/hextictactoe/viewport.ts";
import { hexagon } from "./match.ts";

const cells = hexagon(4);
const name = ({ q, r }: Coord) => `${q},${r}`;

test("the cell under a point is the one whose centre is nearest", () => {
  const grid = new Grid(cells);
  for (let x = -5; x <= 5; x += 0.37) {
    for (let y = -4; y <= 4; y += 0.41) {
      const away = cells.map((c) => Math.hypot(planeX(c) - x, planeY(c) - y));
      const nearest = away.indexOf(Math.min(...away));
      assert.equal(name(cellUnder(x, y)), name(cells[nearest]), `${x}, ${y}`);
      assert.equal(grid.under(x, y), nearest);
    }
  }
  assert.equal(grid.under(100, 0), -1);
});

test("the endless board finds the cell that it draws at a point", () => {
  const view = new EndlessViewport();
  view.resize(800, 600, 92);
  for (const c of cells) {
    const { x, y } = view.at(c);
    for (const [dx, dy] of [
      [0, 0],
      [0.8, 0.3],
      [-0.8, 0.3],
      [0, -0.9],
    ]) {
      assert.equal(name(view.under(x + dx * view.radius, y + dy * view.radius)), name(c));
    }
  }
});

test("a board of any size fits into the stage, and fit restores that", () => {
  for (const radius of [1, 4, 12, 26, 60]) {
    for (const [width, height, padding] of [
      [1040, 750, 26],
      [390, 344, 10],
      [120, 90, 10],
    ]) {
      const grid = new Grid(hexagon(radius));
      const view = new GridViewport(grid);
      view.use(grid);
      view.resize(width, height, 0, padding);
      const inside = () =>
        [...Array(grid.size).keys()].every(
          (cell) =>
            view.x(cell) >= view.radius * 0.8 &&
            view.x(cell) <= width - view.radius * 0.8 &&
            view.y(cell) >= view.radius &&
            view.y(cell) <= height - view.radius,
        );
      assert.ok(inside(), `radius ${radius} in ${width} × ${height}: cells of ${view.radius}`);
      assert.equal(view.moved, false);
      view.zoomAt(width / 2, height / 2, 3);
      view.pan(40, 30);
      assert.equal(view.moved, true);
      view.fit();
      assert.ok(inside() && !view.moved);
      view.zoomAt(10, 10, 0.1);
      assert.ok(inside(), "further away than whole");
    }
  }
});
