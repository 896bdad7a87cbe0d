// What differs between two states.

import { clip } from "../../core/text.ts";
import type { Json } from "./state.ts";

/** A value that changed; path is where it is, such as "/bombs/3/delay". */
export interface Change {
  path: string;
  was: string;
  is: string;
}

/** What the page has room for. */
const MOST_CHANGES = 40;
const LONGEST_VALUE = 60;

/** Returns the first values that differ between two states. */
export function changesOf(before: Json, after: Json): Change[] {
  const found: Change[] = [];
  compare(before, after, "", found);
  return found;
}

function compare(a: Json | undefined, b: Json | undefined, path: string, found: Change[]): void {
  if (a === b || found.length >= MOST_CHANGES) return;
  const nested = (v: Json | undefined): v is Json[] | { [key: string]: Json } =>
    v !== null && typeof v === "object";
  if (nested(a) && nested(b) && Array.isArray(a) === Array.isArray(b)) {
    const [was, is] = [a as { [key: string]: Json }, b as { [key: string]: Json }];
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)]))
      compare(was[key], is[key], `${path}/${key}`, found);
    return;
  }
  found.push({ path, was: plain(a), is: plain(b) });
}

function plain(value: Json | undefined): string {
  return value === undefined ? "nothing" : clip(JSON.stringify(value), LONGEST_VALUE);
}
