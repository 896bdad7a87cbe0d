// What the page's modules need of a browser when they are loaded. Node lacks it.

Object.assign(globalThis, {
  Path2D: class {},
  location: new URL("http://127.0.0.1/"),
  matchMedia: () => ({ matches: false }),
});
