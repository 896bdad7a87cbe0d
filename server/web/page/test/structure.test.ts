import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsIn, sourcesIn } from "../structure.mjs";

/** Returns the problems of a page with these files besides a game's. */
function problems(files: Record<string, string>): string[] {
  return problemsIn(new Map(Object.entries({ "games/snake/game.ts": "", ...files })));
}

test("the sources keep the rules", () => {
  assert.deepEqual(problemsIn(sourcesIn("src")), []);
});

test("what may be imported", () => {
  assert.deepEqual(
    problems({
      "main.tsx": 'import "./ui/app.tsx";\nimport { GAMES } from "./games/registry.ts";',
      "ui/app.tsx": 'import type { Store } from "../core/store.ts";',
      "core/store.ts": "",
      "games/registry.ts": 'import { snake } from "./snake/game.ts";',
      "games/snake/view.ts":
        'import { Store } from "../../core/store.ts";\nimport { App } from "../../ui/app.tsx";',
    }),
    [],
  );
});

test("folders import only those below them", () => {
  for (const [file, target] of [
    ["core/store.ts", "../ui/app.tsx"],
    ["core/store.ts", "../games/registry.ts"],
    ["ui/app.tsx", "../games/registry.ts"],
    ["games/snake/view.ts", "../chess/view.ts"],
    ["games/snake/view.ts", "../registry.ts"],
    ["games/registry.ts", "./snake/view.ts"],
  ]) {
    for (const statement of [
      `import { x } from "${target}";`,
      `import type {\n  X,\n} from "${target}";`,
      `export * from "${target}";`,
      `const x = await import("${target}");`,
    ]) {
      assert.equal(problems({ [file]: statement }).length, 1, `${file}: ${statement}`);
    }
  }
});

test("no circle, not even of types", () => {
  const found = problems({
    "core/a.ts": 'import type { B } from "./b.ts";',
    "core/b.ts": 'import { c } from "./c.ts";',
    "core/c.ts": 'import type { A } from "./a.ts";',
  });
  assert.deepEqual(found, [
    "files import each other in a circle: core/a.ts → core/b.ts → core/c.ts → core/a.ts",
  ]);
});

test("no game is named outside of games/", () => {
  assert.deepEqual(
    problems({ "ui/app.tsx": "// the\n// SnakeView", "games/other.ts": "// snake" }),
    ["ui/app.tsx:2 names the game Snake: only files in games/ may"],
  );
});
