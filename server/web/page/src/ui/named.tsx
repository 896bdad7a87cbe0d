// Sentences with names of players in them.

import type { Session } from "../core/session.ts";

/** Letters that are written from right to left: Hebrew, Arabic and their like. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A sentence in which names that are written from right to left stand by themselves, since
 * the numbers beside them would change places otherwise.
 */
export function Named({ session, text }: { session: Session; text: string }) {
  const names = session.store.seats
    .map((s) => s.nickname)
    .filter((name) => RIGHT_TO_LEFT.test(name) && text.includes(name));
  if (names.length === 0) return <>{text}</>;
  names.sort((a, b) => b.length - a.length); // a name may begin another one
  const parts = text.split(
    new RegExp(`(${names.map((n) => n.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "u"),
  );
  return <>{parts.map((part, i) => (i % 2 ? <bdi key={i}>{part}</bdi> : part))}</>;
}
