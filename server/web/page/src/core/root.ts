// Where the server is: a proxy may show it below a path.

/** The path of the server's page, such as "/" or "/arena/". The folder of the scripts is beside it. */
export const ROOT = rootOf(new URL(import.meta.url));

function rootOf(script: URL): string {
  if (script.origin !== location.origin) return "/"; // a page in a file, which asks no server
  return script.pathname.replace(/(assets\/)?[^/]*$/, "");
}

/** Returns the path of a resource of the server; path begins with a slash, as if no proxy were there. */
export function at(path: string): string {
  return ROOT + path.slice(1);
}
