// The gallery of recordings.

import { useEffect, useState } from "preact/hooks";
import STYLES from "sheet:styles/gallery.css";
import { post, problemOf } from "../core/http.ts";
import { recordingPath, singleFile } from "../core/link.ts";
import type { Page } from "../core/page.ts";
import { at, ROOT } from "../core/root.ts";
import { count, mapName, number, visible } from "../core/text.ts";
import { Icon } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { Thumbnail } from "./thumbnail.tsx";

adopt(STYLES);

/** A recording as the server lists it. */
interface Recording {
  name: string;
  when: string;
  rules: string;
  map: string;
  seats: string[];
  turns: number;
  winner: number;
  /** By player; empty: not known. */
  scores: number[];
  size: number;
  state: "complete" | "running" | "truncated" | "damaged";
}

/** Why a recording is not complete. */
const STATES = {
  running: "The match is still being played.",
  truncated: "The recording has no end: the server was stopped, or the file was cut.",
  damaged: "A part of the file cannot be read; the turns before it can.",
} as const;

/** The number of players that a card lists; the rest are counted. */
const LISTED = 4;
/** The number of cards that are shown at first, and that each press adds: more than fit in a window. */
const CARDS = 60;

export function Recordings({ session }: { session: Page }) {
  const [list, setList] = useState<Recording[] | null>(null);
  const [problem, setProblem] = useState("");
  const [sought, seek] = useState("");
  const [game, choose] = useState("");
  const [only, restrict] = useState("");
  const [most, show] = useState(CARDS);
  const [compared, compare] = useState("");
  useEffect(() => {
    fetch(at("/api/recordings"))
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error(String(r.status)))))
      .then(setList)
      .catch(() => setProblem("The recordings could not be loaded."));
    void session.server.locate();
  }, []);
  const games = [...new Set(list?.map(gameOf))].sort();
  const found = (list ?? []).filter(
    (r) =>
      matches(r, sought) &&
      (!game || gameOf(r) === game) &&
      (!only || (r.state === "complete") === (only === "complete")),
  );
  const remove = async ({ name }: Recording) => {
    const response = await post(`${recordingPath(name)}/delete`).catch(() => null);
    if (response?.ok) setList((l) => l!.filter((r) => r.name !== name));
    session.say(
      !response
        ? "The server does not answer."
        : response.ok
          ? "The recording is deleted."
          : await problemOf(response),
    );
  };
  return (
    <main class="page recordings" tabIndex={0}>
      <h1>Recordings</h1>
      {problem && <p>{problem}</p>}
      {list?.length === 0 && (
        <p>No recordings yet. Matches played with recording on appear here.</p>
      )}
      {list && list.length > 0 && (
        <>
          <form class="filters" role="search" onSubmit={(e) => e.preventDefault()}>
            <label>
              Search{" "}
              <input
                type="search"
                placeholder="player, map or file"
                value={sought}
                onInput={(e) => seek(e.currentTarget.value)}
              />
            </label>
            {games.length > 1 && (
              <Select
                label="Game"
                options={games.map((g) => [g, g])}
                value={game}
                onSelect={choose}
              />
            )}
            <Select
              label="Recording"
              options={[
                ["complete", "complete"],
                ["cut", "cut or running"],
              ]}
              value={only}
              onSelect={restrict}
            />
            <span class="aside" role="status">
              {found.length === list.length
                ? count(list.length, "recording")
                : `${number(found.length)} of ${number(list.length)}`}
            </span>
          </form>
          {found.length === 0 && (
            <p>
              No recording is like that.{" "}
              <button class="button" onClick={() => (seek(""), choose(""), restrict(""))}>
                Show all
              </button>
            </p>
          )}
          {compared && (
            <p class="aside" role="status">
              Choose ✓ of the recording to compare with {compared}.
            </p>
          )}
          <ul class="gallery">
            {found.slice(0, most).map((r) => (
              <Card
                key={r.name}
                session={session}
                recording={r}
                compared={compared}
                compare={compare}
                remove={() => void remove(r)}
              />
            ))}
          </ul>
          {found.length > most && (
            <button class="button" onClick={() => show(most + CARDS)}>
              Show {number(Math.min(CARDS, found.length - most))} more
            </button>
          )}
        </>
      )}
    </main>
  );
}

/** Returns the name of a recording's game. */
function gameOf({ rules }: Recording): string {
  return visible(rules.split("/")[0]);
}

/** Reports whether a recording has all words of a search. */
function matches({ name, map, rules, seats }: Recording, sought: string): boolean {
  const text = [name, map, rules, ...seats].join(" ").toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Select(props: {
  label: string;
  options: string[][];
  value: string;
  onSelect: (value: string) => void;
}) {
  return (
    <label>
      {props.label}{" "}
      <select value={props.value} onChange={(e) => props.onSelect(e.currentTarget.value)}>
        <option value="">all</option>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CardProps {
  session: Page;
  recording: Recording;
  /** The recording that another one is to be compared with; empty: none. */
  compared: string;
  compare: (name: string) => void;
  remove: () => void;
}

function Card({ session, recording: r, compared, compare, remove }: CardProps) {
  const [asking, ask] = useState(false);
  const map = r.rules.startsWith(`${r.map}/`) ? "" : mapName(r.map);
  const ranked = r.seats
    .map((name, player) => ({ name: visible(name), player, score: r.scores[player] }))
    .sort(
      (a, b) =>
        Number(b.player === r.winner) - Number(a.player === r.winner) ||
        (b.score ?? 0) - (a.score ?? 0),
    );
  return (
    <li class="tile">
      <a href={`${ROOT}?recording=${encodeURIComponent(r.name)}`} title={r.name}>
        <Thumbnail session={session} recording={r.name} />
        <ol>
          {ranked.slice(0, LISTED).map(({ name, player, score }) => (
            <li key={player} class={player === r.winner ? "won" : ""}>
              <bdi>{name}</bdi> {player === r.winner && <small>won</small>}
              {score !== undefined && <span class="points">{number(score)}</span>}
            </li>
          ))}
          {ranked.length === 0 && <li>{r.name}</li>}
          {ranked.length > LISTED && (
            <li class="rest">and {number(ranked.length - LISTED)} more</li>
          )}
        </ol>
      </a>
      <p class="aside about">
        <span>{gameOf(r)}</span>
        {map && <span>{map}</span>}
        <span>{count(r.turns, "turn")}</span>
        <time dateTime={r.when}>
          {new Date(r.when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}
        </time>
        {r.state !== "complete" && (
          <span class={`mark ${r.state}`} title={STATES[r.state]}>
            {r.state === "truncated" ? "cut" : r.state}
          </span>
        )}
      </p>
      <div class="todo">
        {compared && compared !== r.name ? (
          <a
            class="act"
            href={`${ROOT}?${new URLSearchParams({ recording: compared, with: r.name })}`}
            aria-label={`Compare with ${r.name}`}
            title="Compare with this one"
          >
            <Icon name="check" />
          </a>
        ) : (
          <button
            class="act"
            aria-pressed={compared === r.name}
            aria-label={`Compare ${r.name} with another one`}
            title="Compare with another one"
            onClick={() => compare(compared ? "" : r.name)}
          >
            <Icon name="compare" />
          </button>
        )}
        <a
          class="act"
          href={singleFile(r.name)}
          download
          aria-label={`Download ${r.name} as one HTML file`}
          title="Download as one HTML file"
        >
          <Icon name="download" />
        </a>
        {session.server.deletes && (
          <button
            class="act"
            aria-label={`Delete ${r.name}`}
            title="Delete"
            onClick={() => ask(true)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {asking && (
        <div class="sure" role="alertdialog" aria-label={`Delete ${r.name}?`}>
          <p>Delete this recording for good?</p>
          <button class="button" onClick={remove}>
            Delete it
          </button>
          <button class="button" onClick={() => ask(false)}>
            Keep it
          </button>
        </div>
      )}
    </li>
  );
}
