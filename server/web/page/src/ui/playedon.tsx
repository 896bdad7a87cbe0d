// The date of the match in an exported page.

import type { Session } from "../core/session.ts";

export function PlayedOn({ session: { embedded } }: { session: Session }) {
  return embedded && <span>{embedded.when.toLocaleDateString([], { dateStyle: "medium" })}</span>;
}
