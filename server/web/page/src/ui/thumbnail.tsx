// A small picture of a recording's last board, drawn by the server.

import { useEffect, useState } from "preact/hooks";
import { thumbnail } from "../core/link.ts";
import type { Page } from "../core/page.ts";
import { Logo } from "./icons.tsx";

/** How often a picture that the server did not send, as it was busy, is requested again, and after how many milliseconds. */
const RETRIES = 3;
const RETRY_AFTER = 5000;

export function Thumbnail({ session, recording }: { session: Page; recording: string }) {
  const [failed, fail] = useState(0);
  const [again, repeat] = useState(0);
  useEffect(() => {
    if (failed === 0 || failed > RETRIES) return;
    const timer = setTimeout(() => repeat(failed), RETRY_AFTER);
    return () => clearTimeout(timer);
  }, [failed]);
  const shown = session.server.draws && failed <= RETRIES;
  return (
    <div class="thumbnail">
      {shown && failed === again ? (
        <img
          key={again}
          src={thumbnail(recording, session.theme.name)}
          alt=""
          width={320}
          height={240}
          loading="lazy"
          onError={() => fail(failed + 1)}
        />
      ) : (
        <Logo size={64} />
      )}
    </div>
  );
}
