// Bundles the page into ../dist, which is committed: `npm run build`. With an
// argument, into that folder instead, so that a test can compare. Files below
// assets/ have a hash of their content in their names: browsers keep them for ever.
// They are compressed once, here; the server decompresses them where it has to.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { problemsIn, sourcesIn } from "./structure.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../dist"));
const problems = problemsIn(sourcesIn(join(here, "src")));
if (problems.length > 0) throw new Error(problems.join("\n"));

const bundle = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: "assets",
  write: false,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome100", "firefox100", "safari15.4"],
  charset: "utf8",
  legalComments: "none", // the banner has the whole licences
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const licensed = `/*! This file contains these packages.\n\n${notices(bundle.metafile)}\n*/\n`;
const assets = bundle.outputFiles.map((f) => ({ name: basename(f.path), data: Buffer.from((f.path.endsWith(".js") ? licensed : "") + f.text) }));
assets.push({ name: "icon.svg", data: readFileSync(join(here, "src/icon.svg")) });
let page = readFileSync(join(here, "src/index.html"), "utf8");
rmSync(join(out, "assets"), { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });
for (const { name, data } of assets) {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 8);
  const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
  page = page.replace(`/assets/${name}`, `/assets/${hashed}`);
  writeFileSync(join(out, "assets", `${hashed}.gz`), gzipSync(data, { level: constants.Z_BEST_COMPRESSION }));
}
writeFileSync(join(out, "index.html"), page);

/** Returns the names, versions and licences of the packages in the bundle. */
function notices(metafile) {
  const packages = Object.keys(metafile.inputs).map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return [...new Set(packages.filter(Boolean))].sort().map((name) => {
    const { version } = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`;
  }).join("\n\n");
}
