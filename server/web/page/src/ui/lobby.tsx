// Before a match: who is there, what is missing, and where to connect. Without
// any match: ways on.

import { copy } from "../core/clipboard.ts";
import { lobbySeats } from "../core/lobby.ts";
import type { Session } from "../core/session.ts";
import { count } from "../core/text.ts";
import { Glyph, Icon } from "./icons.tsx";
import { hasStarter, JoinIn } from "./joinin.tsx";
import { PlayHere } from "./playhere.tsx";
import { Ways } from "./ways.tsx";

export function Lobby({ session }: { session: Session }) {
  const lobby = session.store.lobby!;
  const seats = lobbySeats(lobby);
  const missing = seats.filter((s) => !s.who).length;
  const there = lobby.present.filter((p) => p.role === "player").length;
  const watching = lobby.present.filter((p) => p.role === "visualization").length;
  return (
    <section class="lobby" aria-label="Lobby">
      <header class="section">
        <h2>Seats</h2>
        <span class="aside">{missing === 0 ? "all there" : `${count(missing, "seat")} free`}</span>
      </header>
      <ol>
        {seats.map((seat) => {
          const slot = session.slot(seat.color - 1);
          return (
            <li key={seat.color} class={seat.who ? "" : "vacant"}>
              <Glyph theme={session.theme} slot={slot} size={38} kind={seat.who ? "sticker" : "hollow"} ink={session.theme.text3} />
              <div>
                <b>{seat.who?.nickname ?? (seat.special ? "free seat of the special player" : "free seat")}</b>
                <small>{seat.who?.address ?? "waiting for a bot"}</small>
              </div>
              {seat.who && <span class="ready"><Icon name="check" size={18} /> ready</span>}
            </li>
          );
        })}
      </ol>
      <header class="section"><h2>Connect a bot</h2></header>
      <ul class="addresses">
        {lobby.addresses.map((a) => (
          <li key={a}>
            <code>{a}</code>
            <button aria-label={`Copy ${a}`} title="Copy" onClick={() => void copy(session, a, a)}><Icon name="copy" size={18} /></button>
          </li>
        ))}
      </ul>
      <p class="aside">
        Bots connect to {lobby.addresses.length === 1 ? "this address" : "one of these addresses"}, and browsers see this page there.
        {session.server.may("join") && <>{" "}Or <a href="#edit">write a bot in this page</a>.</>}
      </p>
      <JoinIn session={session} />
      <p class="aside">
        {beginning(missing, lobby.autostart, lobby.seats.visualizations - watching)}{" "}
        {session.game.lobbyNote}
        {watching > 0 && `${count(watching, "viewer program")} connected.`}
      </p>
      {session.server.may("start") && (
        <div class="acts">
          <button class="button first" disabled={there === 0} onClick={() => void session.order("start")}>
            <Icon name="play" size={18} /> {there === 0 ? "Start" : `Start with ${there}`}
          </button>
          {session.server.may("fill") && missing > 0
            ? <button class="button" onClick={() => void session.order("fill")}>Fill with bots</button>
            : there === 0 && <span class="aside">Nobody is there yet.</span>}
        </div>
      )}
      {hasStarter(session) && lobby.present.length === 0 && <Ways session={session} />}
    </section>
  );
}

/** When the match begins, with so many seats of players and of visualizations still free. */
function beginning(players: number, autostart: boolean, visualizations: number): string {
  const there = players === 0 ? "Everybody is there. " : "";
  if (!autostart) return `${there}The match begins when the operator starts it.`;
  if (players > 0) return "The match begins when every seat is taken, or when the operator starts it.";
  if (visualizations <= 0) return `${there}The match is about to begin.`;
  return `${there}The match begins when ${count(visualizations, "viewer program")} more ${visualizations === 1 ? "has" : "have"} connected, or when the operator starts it.`;
}

export function Empty({ session }: { session: Session }) {
  if (session.problem) {
    return (
      <section class="empty">
        <h1>This cannot be shown.</h1>
        <p>{session.problem}</p>
        {!session.embedded && <p><a class="button" href="/">To the live match</a></p>}
      </section>
    );
  }
  return (
    <section class="empty">
      <h1>No match yet. Three ways on:</h1>
      <Ways session={session} />
      <PlayHere session={session} />
    </section>
  );
}
