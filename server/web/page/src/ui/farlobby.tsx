// The lobby on a projector: where to connect, and the seats, which light up when bots join.

import { lobbySeats } from "../core/lobby.ts";
import type { Page } from "../core/page.ts";
import { number } from "../core/text.ts";
import { QR } from "./qr.tsx";
import { SeatGlyph } from "./seatglyph.tsx";

/** More seats are drawn smaller. */
const LARGE_SEATS = 8;

export function FarLobby({ session }: { session: Page }) {
  const { server } = session;
  const lobby = session.store.lobby!;
  const seats = lobbySeats(lobby);
  const there = lobby.present.filter((p) => p.role === "player").length;
  const address = server.address || (lobby.addresses[0] ?? "");
  return (
    <aside class="far gather" aria-label="Lobby">
      <p class="there">
        <strong>
          {number(there)} of {number(lobby.seats.players)}
        </strong>{" "}
        players have joined
      </p>
      <ol class={seats.length > LARGE_SEATS ? "many" : ""}>
        {seats.map((seat) => (
          <li key={seat.color} class={seat.who ? "taken" : ""}>
            <SeatGlyph
              session={session}
              slot={session.slot(seat.color - 1)}
              size={68}
              taken={seat.who !== undefined}
            />
            <b>{seat.who?.nickname ?? (seat.special ? "special" : "free")}</b>
          </li>
        ))}
      </ol>
      <section class="invite" aria-label="Play along">
        {server.url && <QR text={server.url} />}
        <p>{server.url ? "On the same network, open" : "Bots on this machine connect to"}</p>
        <strong>{address}</strong>
      </section>
    </aside>
  );
}
