// The card about the turn under the pointer, which is a chunk.

import { useState } from "preact/hooks";
import { lazy } from "./lazy.tsx";
import type { Hover } from "./turncard.tsx";

export const TurnCard = lazy(() => import("./turncard.tsx").then((m) => m.TurnCard));

/**
 * Returns what the pointer is on, and handlers for an element in which turns go from left to right. turnAt
 * returns the turn at a share of its width, or null. A finger has no card: it scrubs.
 */
export function useHover(turnAt: (share: number) => number | null) {
  const [hover, set] = useState<Hover | null>(null);
  return {
    hover,
    handlers: {
      onPointerMove: (e: PointerEvent) => {
        if (e.pointerType !== "mouse") return;
        const above = e.currentTarget as Element;
        const { left, width } = above.getBoundingClientRect();
        const turn = turnAt((e.clientX - left) / Math.max(1, width));
        if (turn !== hover?.turn || e.clientX !== hover.x)
          set(turn === null ? null : { turn, x: e.clientX, above });
      },
      onPointerLeave: () => set(null),
    },
  };
}
