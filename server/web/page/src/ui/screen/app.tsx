// The screen of an event, for a projector.

import { useEffect, useState } from "preact/hooks";
import { ownPage } from "../../core/eventteam.ts";
import { at } from "../../core/root.ts";
import type { ScreenTeam } from "../../core/screen.ts";
import type { ScreenSession } from "../../core/screensession.ts";
import { number } from "../../core/text.ts";
import { QR } from "../qr.tsx";
import { Stage } from "../stage.tsx";
import { Bracket, Tables, Winners } from "./final.tsx";
import { Podium } from "./podium.tsx";
import { clock, Next, rankOf, Standings } from "./standings.tsx";
import { totalOf } from "../../core/turns.ts";

/** How many places the standings have room for beside a match, and beside the podium. */
const PLACES = 5;
const MORE_PLACES = 12;

/** So few teams are written large, and so few one below the other. */
const LARGE_SEATS = 24;
const ROWS = 11;

export function ScreenApp({ session }: { session: ScreenSession }) {
  const [, draw] = useState(0);
  useEffect(() => session.onChange(() => draw((n) => n + 1)), []);
  const { phase } = session;
  const { ProjectorPanel, Table } = session.game.parts;
  const board = phase === "match" && session.store.start !== null;
  return (
    <>
      <Ways name={session.screen?.name ?? ""} />
      <div class={`app event shows-${phase} ${board ? "playing" : "idle"}`}>
        <Stage session={session} main={board} inert={!board}>
          {board && <Table />}
        </Stage>
        {board && <Corner session={session} />}
        {board && (
          <section class="beside" aria-label="Match and standings">
            <ProjectorPanel />
            {session.final ? (
              <Tables session={session} final={session.final} places={PLACES} />
            ) : (
              <Standings session={session} places={PLACES} />
            )}
            <JoinLine session={session} />
          </section>
        )}
        {!board &&
          (phase === "start" || session.round === 0 ? (
            <Start session={session} />
          ) : (
            <Between session={session} />
          ))}
        <Says session={session} />
      </div>
    </>
  );
}

/** How long the ways stay after the pointer has moved, in milliseconds: as players of films do it. */
const WAYS_STAY = 4000;

/** The event and the ways to its other pages, which a projector does not show: they appear when a pointer moves. */
function Ways({ name }: { name: string }) {
  const [moving, move] = useState(false);
  useEffect(() => {
    let timer = 0;
    const moved = () => {
      move(true);
      clearTimeout(timer);
      timer = window.setTimeout(() => move(false), WAYS_STAY);
    };
    window.addEventListener("pointermove", moved);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointermove", moved);
    };
  }, []);
  const own = ownPage();
  return (
    <nav class={`ways ${moving ? "moving" : ""}`} aria-label="Event">
      <b>
        <bdi>{name}</bdi>
      </b>
      <span>
        <a href={own.href}>{own.name}</a>
        <a href={at("/screen")} aria-current="page">
          Screen
        </a>
        <a href={at("/standings")}>Standings</a>
        <a href={at("/#edit")}>Editor</a>
        <a href={at("/#rules")}>Rules</a>
      </span>
    </nav>
  );
}

/** What concerns all: the deadline above all else, then messages. */
function Says({ session }: { session: ScreenSession }) {
  const { screen, deadline, away } = session;
  const text = away
    ? "The server does not answer. Trying again …"
    : [screen?.message, screen?.problem].filter(Boolean).join(" · ");
  const frozen =
    screen?.frozen &&
    (screen.order === "final"
      ? "Versions are frozen. The final decides."
      : "Versions are frozen. Official matches decide.");
  if (!text && deadline === null && !frozen) return null;
  return (
    <div class="says">
      {frozen && <strong role="status">{frozen}</strong>}
      {!frozen && deadline !== null && (
        <strong>
          {deadline > 0 ? (
            <>
              Versions freeze in <b>{clock(deadline)}</b>
            </>
          ) : (
            "The deadline is over. Versions freeze."
          )}
        </strong>
      )}
      {text && <p role="status">{text}</p>}
    </div>
  );
}

function Corner({ session }: { session: ScreenSession }) {
  const { game, player } = session;
  return (
    <header class="corner">
      <h1 class="unseen">Match of round {session.round}</h1>
      <p>
        {session.final ? session.final.stage : <>Round {number(session.round)}</>}
        <br />
        <b>{game.count(player.turn)}</b> / {totalOf(game)}
      </p>
      <span class="pill">
        <b>{session.finished ? "FINISHED" : session.replay ? "REPLAY" : "RESULT HIDDEN"}</b>
      </span>
    </header>
  );
}

function JoinLine({ session }: { session: ScreenSession }) {
  const { screen } = session;
  if (!screen?.join) return null;
  return (
    <section class="along" aria-label="Join">
      <QR text={screen.join} />
      <div>
        <b>Play along</b>
        <strong>
          <Address join={screen.join} />
        </strong>
        <span>
          code <b>{screen.code}</b>
        </span>
      </div>
    </section>
  );
}

/** The address to sign up at, which breaks before its path. */
function Address({ join }: { join: string }) {
  const [host, ...path] = join.replace(/^https?:\/\//, "").split("/");
  return (
    <>
      {host}
      <wbr />/{path.join("/")}
    </>
  );
}

/** Before the first match: how to join, and the teams, which light up when their bots are there. */
function Start({ session }: { session: ScreenSession }) {
  const { screen } = session;
  if (!screen) return <main class="before" />;
  return (
    <main class="before">
      <section class="invite" aria-label="Join">
        {screen.join && <QR text={screen.join} />}
        <h1>
          {screen.join ? (
            <Address join={screen.join} />
          ) : (
            "Other machines cannot reach this page's address: open it by one that they can, or start the event with --url."
          )}
        </h1>
        <p>
          code <b>{screen.code}</b>
        </p>
      </section>
      <section class="there" aria-label="Teams">
        <header>
          <span>
            <b>
              {number(screen.ready)} of {number(screen.teams.length)}
            </b>{" "}
            teams ready
          </span>
          <span>
            <Next session={session} />
          </span>
        </header>
        <ol
          class={
            screen.teams.length <= ROWS
              ? "few rows"
              : screen.teams.length <= LARGE_SEATS
                ? "few"
                : ""
          }
        >
          {screen.teams.map((t) => (
            <Seat key={t.number} session={session} team={t} />
          ))}
        </ol>
      </section>
    </main>
  );
}

function Seat({ session, team }: { session: ScreenSession; team: ScreenTeam }) {
  return (
    <li class={team.here ? "here" : ""}>
      <i class="chip" style={{ "--colour": session.colour(team.number) }} />
      <bdi>{team.name}</bdi>
      <span class="unseen">{team.here ? "ready" : "not connected"}</span>
    </li>
  );
}

/** Between two matches: how the final stands, or the first three of the standings. */
function Between({ session }: { session: ScreenSession }) {
  const { final } = session;
  if (final)
    return final.over ? (
      <Winners session={session} final={final} />
    ) : (
      <Bracket session={session} final={final} />
    );
  const places = session.standings.slice(0, 3).map((t) => ({
    name: t.name,
    rank: rankOf(t),
    colour: session.colour(t.number),
    figure: t.figure,
  }));
  return (
    <Podium title="Standings" label="The first three" places={places}>
      <Standings session={session} places={MORE_PLACES} />
      <JoinLine session={session} />
    </Podium>
  );
}
