// What the page's modules need of a browser when they are loaded. Node lacks it.

Object.assign(globalThis, {
  Path2D: class {},
  matchMedia: () => ({ matches: false }),
});
