// Keeps circles out of what the page's files import. Types do not count: they
// are gone before anything runs.

/** Files of which each imports the next and the last is the first again; null: there are none. */
export function circleIn(files) {
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { path } of files[file]?.imports ?? []) {
      const circle = visit(path, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of Object.keys(files)) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return null;
}
