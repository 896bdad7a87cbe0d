// The badge beside a player's name: gone, slow, or skipping turns.

import type { Conduct } from "../core/conduct.ts";
import type { Session } from "../core/session.ts";
import { count } from "../core/text.ts";
import { Icon } from "./icons.tsx";

export function Badge({ session, row }: { session: Session; row: Conduct }) {
  if (row.gone) {
    return (
      <span class="badge dim">
        <Icon name="unplug" size={15} /> gone since {session.store.answers.goneSince[row.player]}
      </span>
    );
  }
  if (row.skipped === 0 && !row.slow) return null;
  const skipped = row.skipped > 0 ? `skipped ${count(row.skipped, "turn")}` : "";
  return (
    <span class="badge">
      <Icon name="clock" size={15} /> {[row.slow ? "slow" : "", skipped].filter(Boolean).join(", ")}
    </span>
  );
}
