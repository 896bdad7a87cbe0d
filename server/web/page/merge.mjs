// Merges the pieces that a page begins with. esbuild puts the modules that a page and its chunks share into a
// piece for each set of chunks that use them, which makes dozens of small files, all of which the page needs at once.

import { build } from "esbuild";
import { createHash } from "node:crypto";

/** An import of names, or of nothing, from a file beside this one, as esbuild writes it. */
const IMPORT = /import(?:\{([^}]*)\}from)?"\.\/([\w-]+\.js)"/g;

/**
 * Returns the scripts of a page with the pieces that the main one imports as one of them, shared-HASH.js.
 * files are texts by name.
 */
export async function merged(files, main, target) {
  const pieces = [...piecesOf(files, main)];
  const others = [...files.keys()].filter((file) => !pieces.includes(file));
  const used = pieces.map(
    (piece) =>
      new Set(
        others.flatMap((file) =>
          [...files.get(file).matchAll(IMPORT)]
            .filter(([, , from]) => from === piece)
            .flatMap(([, names]) => namesIn(names))
            .map(([name]) => name),
        ),
      ),
  );
  const contents = pieces
    .map(
      (piece, i) =>
        `export{${[...used[i]].map((name) => `${name} as p${i}_${name}`)}}from"./${piece}"`,
    )
    .join(";");
  // The names of files have hashes of all that is in them: those of pieces are in contents.
  const shared = `shared-${hash(contents)}.js`;
  const renamed = new Map(
    others
      .filter((file) => file !== main)
      .map((file) => [file, file.replace(/-\w+\.js$/, `-${hash(file + shared)}.js`)]),
  );
  const text = (file) => {
    const relinked = files.get(file).replace(IMPORT, (statement, names, from) => {
      const place = pieces.indexOf(from);
      return place < 0
        ? statement
        : `import{${namesIn(names).map(([their, our = their]) => `p${place}_${their} as ${our}`)}}from"./${shared}"`;
    });
    return [...renamed].reduce(
      (text, [from, to]) => text.replaceAll(`"./${from}"`, `"./${to}"`),
      relinked,
    );
  };
  const result = new Map(others.map((file) => [renamed.get(file) ?? file, text(file)]));
  if (pieces.length > 0)
    result.set(
      shared,
      await bundled(
        contents,
        new Map(pieces.map((piece) => [piece, files.get(piece)])),
        renamed,
        target,
      ),
    );
  return result;
}

/** Returns one script of all pieces. */
async function bundled(contents, pieces, renamed, target) {
  const inMemory = {
    name: "pieces",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const file = path.slice(2);
        return kind === "dynamic-import"
          ? { path: `./${renamed.get(file)}`, external: true }
          : { path: file, namespace: "piece" };
      });
      onLoad({ filter: /./, namespace: "piece" }, ({ path }) => ({ contents: pieces.get(path) }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents },
    plugins: [inMemory],
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target,
    charset: "utf8",
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

/** Returns the files that a file imports, and those that they import. */
function piecesOf(files, from, found = new Set()) {
  for (const [, , file] of files.get(from).matchAll(IMPORT)) {
    if (found.has(file)) continue;
    found.add(file);
    piecesOf(files, file, found);
  }
  return found;
}

/** Returns the names in "a as b,c": [a, b] and [c]. */
function namesIn(clause = "") {
  return clause
    .split(",")
    .filter(Boolean)
    .map((name) => name.split(" as "));
}

function hash(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
