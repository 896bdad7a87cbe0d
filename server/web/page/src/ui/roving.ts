// A hook for lists of buttons that are one stop of the Tab key: the arrow keys move within.

import { useLayoutEffect, type MutableRef } from "preact/hooks";

/** Returns the button that Tab stops at: the one with the focus, the current one, or the first. */
function stopOf(buttons: HTMLElement[]): HTMLElement | undefined {
  return (
    buttons.find((b) => b === document.activeElement) ??
    buttons.find((b) => b.closest(".now")) ??
    buttons[0]
  );
}

function stopAt(stop: HTMLElement | undefined, buttons: HTMLElement[]): void {
  for (const b of buttons) b.tabIndex = b === stop ? 0 : -1;
}

/** Makes the buttons of a list one stop, and returns the handlers that the list needs. */
export function useRoving(list: MutableRef<HTMLElement | null>) {
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
  useLayoutEffect(() => {
    const all = buttons();
    stopAt(stopOf(all), all);
  });
  return {
    onFocusCapture: () => {
      const all = buttons();
      stopAt(stopOf(all), all);
    },
    onKeyDown: (e: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (by === undefined) return;
      const all = buttons();
      all[all.indexOf(e.target as HTMLElement) + by]?.focus();
      e.preventDefault();
      e.stopPropagation(); // the page's keys
    },
  };
}
