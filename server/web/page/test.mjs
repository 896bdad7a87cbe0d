// Bundles the tests and runs them with node's own runner: `npm test`.

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bots, sheets } from "./kit.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "hexarena-page-"));
const tests = readdirSync(join(here, "test")).filter((f) => f.endsWith(".test.ts"));
await build({
  absWorkingDir: here,
  entryPoints: tests.map((f) => join("test", f)),
  inject: ["test/browser.ts"],
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  plugins: [bots, sheets],
  format: "esm",
  platform: "node",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const run = spawnSync(
  process.execPath,
  ["--test", ...tests.map((f) => join(out, f.replace(".ts", ".mjs")))],
  { stdio: "inherit" },
);
rmSync(out, { recursive: true });
process.exit(run.status ?? 1);
