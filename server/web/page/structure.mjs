// The rules for imports and names in src/. The build refuses sources that break them,
// and go test does where Node is installed: this file needs no packages.
//
//   core/          imports core/
//   ui/            imports core/, ui/
//   games/NAME/    imports core/, ui/, games/NAME/, and the types of the JavaScript kit
//   games/*.ts     the list of games: imports core/ and each game's game.ts
//   main.tsx       imports all of them
//
// No files import each other in a circle, not even types. Outside of games/ no game
// is named: a game is added with a folder and a line in games/registry.ts.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

const SOURCE = /\.(tsx?|css|html|txt)$/;
const IMPORT =
  /^(?:import|export)\b[^;"']*["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']\s*\)/gm;
/** Names of games that differ from those of their folders. */
const OTHER_NAMES = ["tic-tac-toe", "tictactoe"];
/** The kit's types of the games' states, as it is imported from src/. */
const KIT = /\/bots\/kits\/javascript\/hexarena\.js$/;
/** The folder for games that have none: its name is an ordinary word. */
const FALLBACK = "unknown";

/** Returns the sources below a folder: their texts by their paths. */
export function sourcesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((f) => SOURCE.test(f));
  return new Map(files.map((f) => [f.split(sep).join("/"), readFileSync(join(folder, f), "utf8")]));
}

/** Returns what is wrong with the sources, a sentence each. */
export function problemsIn(sources) {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
  return [...layerProblems(imports), ...circleProblems(imports), ...nameProblems(sources)];
}

function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].map((m) =>
    normalize(join(dirname(file), m[1] ?? m[2]))
      .split(sep)
      .join("/"),
  );
}

/** Returns the folder whose rules a file has: "core", "ui", "games/NAME", "games" or "". */
function layerOf(file) {
  const [top, name, ...more] = file.split("/");
  if (name === undefined) return "";
  return top === "games" && more.length > 0 ? `games/${name}` : top;
}

function allowed(from, to, target) {
  if (from === "" || from === to) return true;
  if (from === "games") return to === "core" || /^games\/\w+\/game\.ts$/.test(target);
  if (from === "ui") return to === "core";
  return from.startsWith("games/") && (to === "core" || to === "ui" || KIT.test(target));
}

function layerProblems(imports) {
  const found = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (!allowed(layerOf(file), layerOf(target), target))
        found.push(`${file} must not import ${target}`);
    }
  }
  return found;
}

function circleProblems(imports) {
  const done = new Set();
  const found = [];
  const visit = (file, path) => {
    if (path.includes(file))
      found.push(
        `files import each other in a circle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`,
      );
    if (path.includes(file) || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

function nameProblems(sources) {
  const folders = [...sources.keys()]
    .map((f) => /^games\/([^/]+)\//.exec(f)?.[1])
    .filter((name) => name && name !== FALLBACK);
  const names = new RegExp([...new Set(folders), ...OTHER_NAMES].join("|"), "i");
  const found = [];
  for (const [file, text] of sources) {
    if (file.startsWith("games/")) continue;
    text.split("\n").forEach((line, i) => {
      const name = names.exec(line)?.[0];
      if (name) found.push(`${file}:${i + 1} names the game ${name}: only files in games/ may`);
    });
  }
  return found;
}
