// A hook for lists with a current item.

import { useEffect, useRef, type MutableRef } from "preact/hooks";

/** Returns a ref for a list whose item of the class "now" is scrolled into view when any of the values changes. */
export function useShowNow(values: unknown[]): MutableRef<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.querySelector(".now")?.scrollIntoView({ block: "nearest" }), values);
  return list;
}
