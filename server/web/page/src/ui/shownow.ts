// Scrolling to what is current in a list, and a hook for it.

import { useEffect, useRef, type MutableRef } from "preact/hooks";

/** Scrolls the boxes around an element until it is in view. The page itself stays: the viewer may look at the board. */
export function reveal(element: Element): void {
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    if (scrolls(overflowY))
      box.scrollTop += excess(inner.top, inner.bottom, outer.top, outer.bottom);
    if (scrolls(overflowX))
      box.scrollLeft += excess(inner.left, inner.right, outer.left, outer.right);
  }
}

function scrolls(overflow: string): boolean {
  return overflow === "auto" || overflow === "scroll";
}

/** Returns how far a range is beyond another one: negative before it, 0 within. */
function excess(from: number, to: number, start: number, end: number): number {
  return from < start ? from - start : Math.max(0, to - end);
}

/** Returns a ref for a list whose item of the class "now" is scrolled into view when any of the values changes. */
export function useShowNow(values: unknown[]): MutableRef<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const now = list.current?.querySelector(".now");
    if (now) reveal(now);
  }, values);
  return list;
}
