import assert from "node:assert/strict";
import { test } from "node:test";
import { spread } from "../src/core/spread.ts";

test("labels are moved apart, and none is cut off", () => {
  const cases: [wanted: number[], places: number[]][] = [
    [[], []],
    [[50], [50]],
    [[-5], [0]],
    [[120], [100]],
    [
      [10, 60],
      [10, 60],
    ],
    [
      [10, 12, 14],
      [10, 27, 44],
    ],
    [
      [95, 97, 99],
      [66, 83, 100],
    ],
    [
      [50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50],
      [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    ], // there is no room for 17 between two
  ];
  for (const [wanted, places] of cases)
    assert.deepEqual(spread(wanted, 17, 0, 100), places, wanted.join());
});
