// The files of the JavaScript kit, so that a bot in the page is one as in Node. The bots are imported as
// texts, as they are: import STARTER from "kit:bot.js". The kit itself is a file of its own, which the page
// loads for the first bot that plays.

import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { documentation } from "./documentation.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = new URL("../../../bots/kits/javascript/", import.meta.url);

/** A plugin for esbuild. What the kit declares is the object import DOCUMENTATION from "documentation:kit". */
export const bots = {
  name: "bots",
  setup(build) {
    build.onResolve({ filter: /^kit:/ }, ({ path }) => ({
      path: path.slice("kit:".length),
      namespace: "kit",
    }));
    build.onLoad({ filter: /./, namespace: "kit" }, ({ path }) => ({
      contents: read(path),
      loader: "text",
    }));
    build.onResolve({ filter: /^documentation:kit$/ }, ({ path }) => ({
      path,
      namespace: "documentation",
    }));
    build.onLoad({ filter: /./, namespace: "documentation" }, () => ({
      contents: JSON.stringify(documentation()),
      loader: "json",
    }));
  },
};

/**
 * A plugin for esbuild: import STYLES from "sheet:report.css" is the text of a chunk's styles, for adopt().
 * Paths are relative to this folder, since esbuild's names of chunks follow from them.
 */
export const sheets = {
  name: "sheets",
  setup(build) {
    build.onResolve({ filter: /^sheet:/ }, ({ path, importer }) => ({
      path: relative(HERE, join(dirname(importer), path.slice("sheet:".length))),
      namespace: "sheet",
    }));
    build.onLoad({ filter: /./, namespace: "sheet" }, ({ path }) => {
      const file = join(HERE, path);
      return {
        contents: transformSync(readFileSync(file, "utf8"), { loader: "css", minify: true }).code,
        loader: "text",
        watchFiles: [file],
      };
    });
  },
};

/** Returns the kit without comments and what only Node uses: a quarter of it. */
export function kitForBrowsers(target) {
  return transformSync(read("hexarena.js"), {
    minify: true,
    treeShaking: true,
    format: "cjs",
    target,
    define: { "globalThis.process": "undefined" },
  }).code;
}

function read(name) {
  return readFileSync(new URL(name, FOLDER), "utf8");
}
