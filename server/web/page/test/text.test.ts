import assert from "node:assert/strict";
import { test } from "node:test";
import { minus } from "../src/ui/cup/words.ts";

test("negative figures of a text have a true minus sign", () => {
  for (const [text, want] of [
    ["a-1 is worse: -3 Elo (-5 to +1)", "a-1 is worse: \u22123 Elo (\u22125 to +1)"],
    ["+133 Elo", "+133 Elo"],
  ])
    assert.equal(minus(text!), want);
});
