// Bundles the page into ../dist, which is committed: `npm run build`. With an
// argument, into that folder instead, so that a test can compare.

import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../dist"));
mkdirSync(join(out, "assets"), { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: join(out, "assets"),
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2021", "chrome100", "firefox100", "safari15.4"],
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
copyFileSync(join(here, "src/index.html"), join(out, "index.html"));
copyFileSync(join(here, "src/icon.svg"), join(out, "assets/icon.svg"));
