// A hook for values that should not change often.

import { useEffect, useRef, useState } from "preact/hooks";

/** A value that is renewed with the key, but not before that many milliseconds have passed since the last time. */
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
