// A hook for tooltips and cards, which are sheets at the bottom of a phone.

import { type MutableRef, useLayoutEffect } from "preact/hooks";

/** Phones, upright or on their side, and windows that are magnified as much. phone.css has the same. */
export const PHONE = "(max-width: 760px), (max-height: 500px)";

/** A finger that moves down by this many pixels closes a sheet. */
const SWIPE = 40;

/** What opens a sheet in place of the one that is open. */
const OPENERS = ".board, .chip";

/**
 * Closes a sheet on a swipe down and on a tap outside, which then does nothing else unless
 * it opens another sheet.
 */
export function useSheet(
  box: MutableRef<HTMLElement | null>,
  open: boolean,
  close: () => void,
): void {
  // Not useEffect, which runs some time after the sheet is drawn: a quick swipe would be missed.
  useLayoutEffect(() => {
    if (!open || !matchMedia(PHONE).matches) return;
    let from: number | null = null;
    const down = (e: PointerEvent) => {
      const target = e.target as Element;
      const inside = box.current?.contains(target) ?? false;
      from = inside ? e.clientY : null;
      if (inside || target.closest(OPENERS)) return;
      window.addEventListener("click", swallow, { capture: true, once: true });
      close();
    };
    const up = (e: PointerEvent) => {
      if (from !== null && e.clientY - from > SWIPE) close();
      from = null;
    };
    window.addEventListener("pointerdown", down, true);
    window.addEventListener("pointerup", up, true);
    return () => {
      window.removeEventListener("pointerdown", down, true);
      window.removeEventListener("pointerup", up, true);
    };
  }, [open]);
}

function swallow(e: Event): void {
  e.stopPropagation();
  e.preventDefault();
}
