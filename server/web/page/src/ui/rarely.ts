// A hook for values that are expensive or that screen readers would repeat.

import { useEffect, useRef, useState } from "preact/hooks";

/** Returns a value that is made again when the key changes, but at most once in every milliseconds. */
export function useRarely<T>(every: number, key: unknown, make: () => T): T {
  const held = useRef<{ at: number; key: unknown; value: T } | null>(null);
  const [, wake] = useState(0);
  const wait = held.current ? held.current.at + every - performance.now() : 0;
  if (!held.current || (key !== held.current.key && wait <= 0)) {
    held.current = { at: performance.now(), key, value: make() };
  }
  const late = key !== held.current.key;
  useEffect(() => {
    if (!late) return;
    const timer = setTimeout(() => wake((n) => n + 1), wait + 1);
    return () => clearTimeout(timer);
  });
  return held.current.value;
}
