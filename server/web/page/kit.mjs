// The files of the JavaScript kit as texts, so that a bot in the page is one as in Node:
// import KIT from "kit:hexarena.js".

import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";

const FOLDER = new URL("../../../bots/kits/javascript/", import.meta.url);

/** A plugin for esbuild. */
export const kit = {
  name: "kit",
  setup(build) {
    build.onResolve({ filter: /^kit:/ }, ({ path }) => ({ path: path.slice("kit:".length), namespace: "kit" }));
    build.onLoad({ filter: /./, namespace: "kit" }, ({ path }) => {
      const text = readFileSync(new URL(path, FOLDER), "utf8");
      return { contents: path === "hexarena.js" ? forBrowsers(text, build.initialOptions.target) : text, loader: "text" };
    });
  },
};

/** Returns the kit without comments and what only Node uses: two thirds of it. The bots are shown, and stay as they are. */
function forBrowsers(text, target) {
  return transformSync(text, { minify: true, treeShaking: true, format: "cjs", target, define: { "globalThis.process": "undefined" } }).code;
}
