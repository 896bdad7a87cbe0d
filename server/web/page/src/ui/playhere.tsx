// The games that can be played in this page.

import type { Session } from "../core/session.ts";

export function PlayHere({ session }: { session: Session }) {
  return (
    <>{session.views.map(({ name, parts }) => parts.PlayHere && <parts.PlayHere key={name} />)}</>
  );
}
