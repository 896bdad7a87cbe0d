// The page's address as a QR code, for the audience of a projector.

import { encode } from "uqr";
import type { Session } from "../core/session.ts";

export function PlayAlong({ session }: { session: Session }) {
  const { address, url } = session.server;
  if (!address) return null;
  return (
    <section class="along" aria-label="Play along">
      <QR text={url} />
      <div>
        <b>Play along</b>
        <span>On the same network, open</span>
        <strong>{address}</strong>
      </div>
    </section>
  );
}

export function QR({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={`QR code of ${text}`}
    >
      <path d={dark.join("")} />
    </svg>
  );
}
