// Bundles the pages, those of matches, of a cup and of the screen of an event, into ../dist,
// which is committed: `npm run build`. With an argument, into that folder instead, so that a
// test can compare. Files below assets/ have a hash of their content in their names: browsers
// keep them for ever. They are compressed once, here; the server decompresses them where it has
// to.
//
// What import() loads is a chunk: a file that a browser loads when it is first needed. An exported page
// cannot load files, so its script, single.js, has the chunks in it.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { bots, kitForBrowsers, sheets } from "./kit.mjs";
import { merged } from "./merge.mjs";
import { problemsIn, sourcesIn } from "./structure.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../dist"));
const problems = problemsIn(sourcesIn(join(here, "src")));
if (problems.length > 0) throw new Error(problems.join("\n"));

const target = ["chrome100", "firefox101", "safari16.4"]; // the first with document.adoptedStyleSheets
const kit = Buffer.from(kitForBrowsers(target));
const kitFile = hashed("kit.js", kit);
rmSync(join(out, "assets"), { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

const app = await bundled("app", "src/main.tsx", true);
const single = await bundled("single", "src/main.tsx", false);
const cup = await bundled("cup", "src/cup.tsx", false);
const screen = await bundled("screen", "src/screen.tsx", false);
const chunks = await merged(app.chunks, "app.js", target);
const main = chunks.get("app.js");
chunks.delete("app.js");
for (const [file, text] of chunks) write(file, Buffer.from(text));
write(kitFile, kit);
const names = new Map(
  [
    ["app.js", app.notices + main],
    ["app.css", app.styles],
    ["single.js", single.notices + single.chunks.get("single.js")],
    ["cup.js", cup.notices + cup.chunks.get("cup.js")],
    ["cup.css", cup.styles],
    ["screen.js", screen.notices + screen.chunks.get("screen.js")],
    ["screen.css", screen.styles],
    ["icon.svg", readFileSync(join(here, "src/icon.svg"))],
  ].map(([name, text]) => {
    const data = Buffer.from(text);
    const file = hashed(name, data);
    write(file, data);
    return [name, file];
  }),
);

const index = source("index.html");
const preload = [...chunks.keys()]
  .filter((file) => main.includes(`from"./${file}"`))
  .map((file) => `<link rel="modulepreload" href="assets/${file}">\n`)
  .join("");
for (const [page, text] of [
  ["index.html", index.replace("<script", `${preload}<script`)],
  ["single.html", index.replace("app.js", "single.js")],
  ["cup.html", source("cup.html")],
  ["screen.html", source("screen.html")],
]) {
  writeFileSync(
    join(out, page),
    text.replace(/"assets\/([^"]+)/g, (path, name) =>
      names.has(name) ? `"assets/${names.get(name)}` : path,
    ),
  );
}

function source(page) {
  return readFileSync(join(here, "src", page), "utf8");
}

function write(file, data) {
  writeFileSync(
    join(out, "assets", `${file}.gz`),
    gzipSync(data, { level: constants.Z_BEST_COMPRESSION }),
  );
}

/** Returns the scripts of a page by their names, its styles, and the comment with which its main script begins. */
async function bundled(name, entry, splitting) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    entryPoints: { [name]: entry },
    outdir: "assets",
    write: false,
    bundle: true,
    splitting,
    chunkNames: "[name]-[hash]",
    plugins: [bots, sheets],
    define: {
      KIT_ADDRESS: JSON.stringify(`/assets/${kitFile}`),
      SINGLE: String(name === "single"),
    },
    minify: true,
    format: "esm",
    target,
    charset: "utf8",
    legalComments: "none", // the comment has the whole licences
    metafile: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
  });
  const files = new Map(outputFiles.map((f) => [basename(f.path), f.text]));
  const styles = files.get(`${name}.css`);
  const sheetsOf = (file) => Object.keys(metafile.outputs[`assets/${file}`].inputs);
  for (const file of files.keys()) {
    if (!file.endsWith(".css")) continue;
    if (sheetsOf(file).some((sheet) => !sheetsOf(`${name}.css`).includes(sheet)))
      throw new Error(`${file}: a chunk adopts its styles, import STYLES from "sheet:report.css"`);
    files.delete(file);
  }
  return {
    chunks: files,
    styles,
    notices: `/*! This page contains these packages.\n\n${notices(metafile.inputs)}\n*/\n`,
  };
}

/** Returns the name of a file with a hash of its content. */
function hashed(name, data) {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 8);
  return `${basename(name, extname(name))}-${hash}${extname(name)}`;
}

/** Returns the names, versions and licences of the packages in a page. */
function notices(inputs) {
  const packages = Object.keys(inputs).map(
    (path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1],
  );
  return [...new Set(packages.filter(Boolean))]
    .sort()
    .map((name) => {
      const { version } = JSON.parse(
        readFileSync(join(here, "node_modules", name, "package.json"), "utf8"),
      );
      return `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`;
    })
    .join("\n\n");
}
