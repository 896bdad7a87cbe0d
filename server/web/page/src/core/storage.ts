// The browser's storage, where it may be used.

/** Puts a storage that ends with the page in the place of those that the browser refuses, as in frames of other sites. */
export function ensureStorage(): void {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    try {
      window[name].getItem("");
    } catch {
      const kept = new Map<string, string>();
      const value: Pick<Storage, "getItem" | "setItem" | "removeItem"> = {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, text) => void kept.set(key, text),
        removeItem: (key) => void kept.delete(key),
      };
      Object.defineProperty(window, name, { value });
    }
  }
}
