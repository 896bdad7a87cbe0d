// Before a match: the seats, where to connect, and how the match starts. Without a
// match: how to get one.

import { copy } from "../core/clipboard.ts";
import { type LobbySeat, lobbySeats } from "../core/lobby.ts";
import type { Page } from "../core/page.ts";
import { ROOT } from "../core/root.ts";
import { count } from "../core/text.ts";
import { GettingStarted } from "./gettingstarted.tsx";
import { Icon } from "./icons.tsx";
import { hasStarter, JoinIn } from "./joinin.tsx";
import { PlayHere } from "./playhere.tsx";
import { SeatGlyph } from "./seatglyph.tsx";
import { mayTakeSeat, TakeSeat } from "./takeseat.tsx";

export function Lobby({ session }: { session: Page }) {
  const lobby = session.store.lobby!;
  const seats = lobbySeats(lobby);
  const missing = seats.filter((s) => !s.who).length;
  const next = seats.find((s) => !s.who && !s.special);
  const there = lobby.present.filter((p) => p.role === "player").length;
  // The ways to start offer the editor and the starter.
  const fresh = hasStarter(session) && lobby.present.length === 0;
  const watching = lobby.present.filter((p) => p.role === "visualization").length;
  return (
    <section class="lobby" aria-label="Lobby">
      <header class="section">
        <h2>Seats</h2>
        <span class="aside">{missing === 0 ? "all taken" : `${count(missing, "seat")} free`}</span>
      </header>
      <ol>
        {seats.map((seat) => (
          <li key={seat.color} class={seat.who ? "" : "vacant"}>
            <SeatGlyph
              session={session}
              slot={session.slot(seat.color - 1)}
              size={38}
              taken={seat.who !== undefined}
            />
            <div>
              <b>
                {seat.who?.nickname ??
                  (seat.special ? "free seat for the special player" : "free seat")}
              </b>
              <SeatNote session={session} seat={seat} next={seat === next} />
            </div>
            {seat === next && mayTakeSeat(session) && <TakeSeat session={session} />}
            {seat.who && (
              <span class="ready">
                <Icon name="check" size={18} /> ready
              </span>
            )}
          </li>
        ))}
      </ol>
      {fresh && <GettingStarted session={session} />}
      <header class="section">
        <h2>Connect a bot</h2>
      </header>
      <ul class="addresses">
        {lobby.addresses.map((a) => (
          <li key={a}>
            <code>{a}</code>
            <button aria-label={`Copy ${a}`} title="Copy" onClick={() => void copy(session, a, a)}>
              <Icon name="copy" size={18} />
            </button>
          </li>
        ))}
      </ul>
      <p class="aside">
        Bots connect to {lobby.addresses.length === 1 ? "this address" : "one of these addresses"};
        browsers open this page there.
      </p>
      {!fresh && session.server.may("join") && session.game.starter && (
        <p class="aside">
          <a class="button" href="#edit">
            <Icon name="pencil" size={18} /> Write a bot in this page
          </a>
        </p>
      )}
      <JoinIn session={session} short={fresh} />
      <p class="aside">
        {startText(missing, lobby.autostart, lobby.seats.visualizations - watching)}{" "}
        {session.game.lobbyNote}
        {watching > 0 && `${count(watching, "viewer program")} connected.`}
      </p>
      {missing === 0 && (
        <p class="aside">
          More bots than seats: <code>hexarena event</code> has rounds in which all of them play.
        </p>
      )}
      {session.server.may("start") && (
        <div class="acts">
          <button
            class="button first"
            disabled={there === 0}
            onClick={() => void session.order("start")}
          >
            <Icon name="play" size={18} /> {there === 0 ? "Start" : `Start with ${there}`}
          </button>
          {session.server.may("fill") && missing > 0 ? (
            <button class="button" onClick={() => void session.order("fill")}>
              Fill with bots
            </button>
          ) : (
            there === 0 && <span class="aside">No player has joined yet.</span>
          )}
        </div>
      )}
    </section>
  );
}

/** Who plays a seat, or who may. next: the next bot gets it. */
function SeatNote({
  session,
  seat: { who },
  next,
}: {
  session: Page;
  seat: LobbySeat;
  next: boolean;
}) {
  const { workshop, server, game } = session;
  if (who) {
    const here = workshop?.stage === "seated" && workshop.nickname === who.nickname;
    const facts = [
      who.language,
      who.label !== who.nickname ? who.label : "",
      here ? "in this browser" : "",
    ].filter(Boolean);
    return facts.length > 0 ? <small>{facts.join(" · ")}</small> : null;
  }
  if (!next || !game.starter || !server.may("join")) return <small>waiting for a player</small>;
  return (
    <small>
      waiting for a player: <a href="#edit">write a bot here</a>
    </small>
  );
}

/** Returns when the match begins, given the numbers of free seats of players and of visualizations. */
function startText(players: number, autostart: boolean, visualizations: number): string {
  const there = players === 0 ? "All players have joined. " : "";
  if (!autostart) return `${there}The match begins when the operator starts it.`;
  if (players > 0)
    return "The match begins when every seat is taken, or when the operator starts it.";
  if (visualizations <= 0) return `${there}The match is about to begin.`;
  return `${there}The match begins when ${count(visualizations, "viewer program")} more ${visualizations === 1 ? "has" : "have"} connected, or when the operator starts it.`;
}

export function Empty({ session }: { session: Page }) {
  if (session.problem) {
    return (
      <main class="empty">
        <h1>This cannot be shown.</h1>
        <p>{session.problem}</p>
        {!session.embedded && (
          <p>
            <a class="button" href={ROOT}>
              To the live match
            </a>
          </p>
        )}
      </main>
    );
  }
  return (
    <main class="empty">
      <h1>{session.server.newGames ? "No match yet." : "No match yet. Three ways to start:"}</h1>
      {!session.server.newGames && <GettingStarted session={session} />}
      <PlayHere session={session} />
    </main>
  );
}
