// Bundles the pages, that of matches and that of a cup, into ../dist, which is committed: `npm run build`. With an
// argument, into that folder instead, so that a test can compare. Files below
// assets/ have a hash of their content in their names: browsers keep them for ever.
// They are compressed once, here; the server decompresses them where it has to.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { bots, kitForBrowsers } from "./kit.mjs";
import { problemsIn, sourcesIn } from "./structure.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../dist"));
const problems = problemsIn(sourcesIn(join(here, "src")));
if (problems.length > 0) throw new Error(problems.join("\n"));

const target = ["chrome100", "firefox100", "safari15.4"];
const kit = { name: "kit.js", data: Buffer.from(kitForBrowsers(target)) };
const bundle = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx", cup: "src/cup.tsx" }, // a page each
  outdir: "assets",
  write: false,
  bundle: true,
  plugins: [bots],
  define: { KIT_ADDRESS: JSON.stringify(`/assets/${hashed(kit)}`) },
  minify: true,
  format: "esm",
  target,
  charset: "utf8",
  legalComments: "none", // the banner has the whole licences
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const assets = bundle.outputFiles.map((f) => {
  const inputs = bundle.metafile.outputs[relative(here, f.path).split(sep).join("/")].inputs;
  return { name: basename(f.path), data: Buffer.from((f.path.endsWith(".js") ? licensed(inputs) : "") + f.text) };
});
assets.push(kit, { name: "icon.svg", data: readFileSync(join(here, "src/icon.svg")) });
rmSync(join(out, "assets"), { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });
const names = new Map(assets.map((asset) => {
  writeFileSync(join(out, "assets", `${hashed(asset)}.gz`), gzipSync(asset.data, { level: constants.Z_BEST_COMPRESSION }));
  return [`/assets/${asset.name}`, `/assets/${hashed(asset)}`];
}));
for (const name of ["index.html", "cup.html"]) {
  let page = readFileSync(join(here, "src", name), "utf8");
  for (const [asset, hashed] of names) page = page.replace(asset, hashed);
  writeFileSync(join(out, name), page);
}

/** Returns the name of a file with a hash of its content. */
function hashed({ name, data }) {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 8);
  return `${basename(name, extname(name))}-${hash}${extname(name)}`;
}

/** Returns the comment at the beginning of a bundle. */
function licensed(inputs) {
  return `/*! This file contains these packages.\n\n${notices(inputs)}\n*/\n`;
}

/** Returns the names, versions and licences of the packages in the bundle. */
function notices(inputs) {
  const packages = Object.keys(inputs).map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return [...new Set(packages.filter(Boolean))].sort().map((name) => {
    const { version } = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`;
  }).join("\n\n");
}
