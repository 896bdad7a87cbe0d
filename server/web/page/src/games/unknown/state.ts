// States of unknown games: JSON objects.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type State = { [key: string]: Json };

/** The keys that identify the members of a list of which a delta holds only the changed ones. */
const KEYS: Record<string, readonly string[]> = { cells: ["q", "r"], characters: ["id"] };

/** Reports whether a value is a JSON object. */
export function isObject(value: unknown): value is State {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Returns the state after a delta, by the rule for the deltas of all games (docs/api.md). */
export function merged(state: State, delta: State): State {
  const after = { ...state };
  for (const [key, value] of Object.entries(delta)) {
    const before = state[key];
    if (key in KEYS && Array.isArray(before) && Array.isArray(value))
      after[key] = mergedList(before, value, KEYS[key]);
    else if (key === "board" && isObject(before) && isObject(value))
      after[key] = merged(before, value);
    else after[key] = value;
  }
  return after;
}

function mergedList(before: Json[], changed: Json[], keys: readonly string[]): Json[] {
  const after = [...before];
  const keyOf = (member: Json) =>
    isObject(member) ? keys.map((k) => String(member[k])).join() : "";
  const places = new Map(after.map((member, i) => [keyOf(member), i]));
  for (const member of changed) {
    const place = places.get(keyOf(member));
    if (place === undefined) after.push(member);
    else after[place] = member;
  }
  return after;
}
