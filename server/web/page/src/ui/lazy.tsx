// Components in chunks: files that a browser loads when they are first shown.

import { type ComponentType, type FunctionComponent, h } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Returns a component that load brings, such as () => import(FILE).then((m) => m.Report). */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [state, set] = useState<"loading" | "failed" | "here">(loaded ? "here" : "loading");
    useEffect(() => {
      if (state !== "loading") return;
      load().then(
        (component) => {
          loaded = component;
          set("here");
        },
        () => set("failed"),
      );
    }, [state]);
    if (loaded) return h(loaded, props);
    if (state === "loading") return null;
    return (
      <p class="aside lazy" role="alert">
        This part of the page could not be loaded: the connection is lost, or the server has another
        version.{" "}
        <button class="button" onClick={() => set("loading")}>
          Try again
        </button>
      </p>
    );
  };
}

const adopted = new Set<string>();

/** Adds the styles of a chunk to the page, once. */
export function adopt(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
