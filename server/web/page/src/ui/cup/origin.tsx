// Where the standings come from, so that others can make them again.

import type { Origin } from "../../core/cup.ts";
import { visible } from "../../core/text.ts";
import { Scroll } from "./scroll.tsx";

export function OriginOf({ origin }: { origin: Origin }) {
  const { version, commit, plan, command } = origin;
  return (
    <section class="origin" aria-labelledby="origin">
      <h2 id="origin">Where it comes from</h2>
      <p class="aside">
        {version && (
          <>
            hexarena {visible(version)}
            {commit && <>, commit {visible(commit)}</>}.{" "}
          </>
        )}
        The plan has the digest {plan}.{command && " This command plays the cup again:"}
      </p>
      {command && (
        <Scroll label="The command">
          <pre>{visible(command)}</pre>
        </Scroll>
      )}
    </section>
  );
}
