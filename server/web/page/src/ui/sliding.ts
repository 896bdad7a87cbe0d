// A hook for lists whose items change places.

import { useLayoutEffect, useRef, type MutableRef } from "preact/hooks";

/** How long an item slides to its new place, in milliseconds. */
const SLIDE = 200;
/** Of more items, those that pass through each other could not be read. */
const MOST_ITEMS = 8;

/**
 * Returns a ref for a list whose items have the keys of order, in this order. Items that
 * change places slide if slides is true and there are few, and keep the focus.
 */
export function useSliding(
  order: readonly number[],
  slides: boolean,
): MutableRef<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef<readonly number[]>([]);
  // The browser takes the focus from an element that is moved in the document.
  const focused = list.current?.contains(document.activeElement)
    ? (document.activeElement as HTMLElement)
    : null;
  useLayoutEffect(() => {
    if (focused?.isConnected && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
    const was = before.current;
    before.current = order;
    if (
      !slides ||
      document.hidden ||
      document.documentElement.classList.contains("still") ||
      order.length > MOST_ITEMS ||
      was.length !== order.length
    )
      return;
    order.forEach((key, i) => {
      const item = list.current!.children[i] as HTMLElement;
      const from = (was.indexOf(key) - i) * item.offsetHeight;
      if (from !== 0)
        item.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], {
          duration: SLIDE,
          easing: "ease-out",
        });
    });
  }, [order.join()]);
  return list;
}
