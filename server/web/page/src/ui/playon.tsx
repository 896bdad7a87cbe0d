// The dialog from which a recorded match is played on, by other bots: what if?

import { useEffect, useRef, useState } from "preact/hooks";
import STYLES from "sheet:styles/playon.css";
import { post, problemOf } from "../core/http.ts";
import { recordingPath } from "../core/link.ts";
import type { Action } from "../core/feed.ts";
import type { Choice } from "../core/gameview.ts";
import type { Page } from "../core/page.ts";
import { ROOT } from "../core/root.ts";
import { Glyph } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { Modal } from "./modal.tsx";
import { shownIn, turnName } from "../core/turns.ts";

adopt(STYLES);

/** Whole answers by player, in place of those of the recording. */
type Answers = Record<number, Action[]>;

export function PlayOn({ session }: { session: Page }) {
  const [turn] = useState(session.player.turn);
  const players = session.store.seats.filter((s) => !s.special);
  // A bot that is in the match twice has a number in its label.
  const [bots, setBots] = useState(() =>
    players.map(({ label, nickname }) => (label || nickname).replace(/#?\d+$/, "")),
  );
  const [answers, setAnswers] = useState<Answers>();
  const [state, set] = useState<{ problem: string } | "idle" | "playing">("idle");
  const [seconds, setSeconds] = useState(0);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  useEffect(() => {
    if (state !== "playing") return;
    const timer = setInterval(() => setSeconds((s) => s + 1), 1000);
    return () => clearInterval(timer);
  }, [state]);
  const play = async () => {
    set("playing");
    setSeconds(0);
    const name = session.recording!;
    const { signal } = (ending.current = new AbortController());
    const response = await post(
      `${recordingPath(name)}/play`,
      { from: shownIn(turn), seats: bots, answers },
      signal,
    ).catch(() => null);
    if (signal.aborted) return set("idle");
    if (!response?.ok)
      return set({ problem: response ? await problemOf(response) : "The server does not answer." });
    const { recording } = (await response.json()) as { recording: string };
    location.href = `${ROOT}?${new URLSearchParams({ recording: name, with: recording })}#turn=${turn === 0 ? "start" : shownIn(turn)}`;
  };
  return (
    <Modal session={session} look="keys playon" title={`Play on from ${turnName(turn)}`}>
      <p class="aside">
        What if other bots had played from here? Each is asked all turns before as well, so that it
        knows what it would know; from {turnName(turn)} on, its answers count.
      </p>
      <form onSubmit={(e) => (e.preventDefault(), void play())}>
        {players.map((seat, i) => (
          <label key={seat.id}>
            <Glyph theme={session.theme} slot={session.slot(seat.id)} size={26} />
            <span>
              <bdi>{seat.nickname}</bdi>, played on by
            </span>
            <input
              type="text"
              value={bots[i]}
              maxLength={300}
              spellcheck={false}
              placeholder="painter or my_bot.py"
              onInput={(e) => setBots(bots.map((b, k) => (k === i ? e.currentTarget.value : b)))}
            />
          </label>
        ))}
        <ByHand session={session} turn={turn} choose={setAnswers} />
        <p class="aside">
          A built-in bot, a file, or a command in the server's folder, as <code>hexarena play</code>{" "}
          has them.
        </p>
        {typeof state === "object" && (
          <p class="problem" role="alert">
            {state.problem}
          </p>
        )}
        <div class="todo">
          <button class="button first" type="submit" disabled={state === "playing"}>
            {state === "playing" ? `Playing … ${seconds} s` : "Play on"}
          </button>
          {state === "playing" && (
            <button class="button" type="button" onClick={() => ending.current.abort()}>
              Stop
            </button>
          )}
        </div>
      </form>
    </Modal>
  );
}

/** Has one piece do something else in the next turn. */
function ByHand({
  session,
  turn,
  choose,
}: {
  session: Page;
  turn: number;
  choose: (answers: Answers | undefined) => void;
}) {
  const [choices, setChoices] = useState<Choice[]>([]);
  const [piece, setPiece] = useState(-1);
  const [other, setOther] = useState("");
  useEffect(() => void session.game.choices?.(turn).then(setChoices, () => {}), []);
  const chosen = choices[piece];
  const deed = chosen?.others.find(({ name }) => name === other);
  useEffect(() => choose(deed && { [chosen.player]: deed.actions }), [deed]);
  if (choices.length === 0) return null;
  return (
    <fieldset>
      <legend>Move one character by hand</legend>
      <label>
        <span>In {turnName(turn)}</span>
        <select
          value={piece}
          onChange={(e) => (setPiece(Number(e.currentTarget.value)), setOther(""))}
        >
          <option value={-1}>every bot decides</option>
          {choices.map((c, i) => (
            <option key={c.piece} value={i}>
              {c.piece}
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <>
          <label>
            <span>instead of “{chosen.did}”</span>
            <select value={other} required onChange={(e) => setOther(e.currentTarget.value)}>
              <option value="">choose …</option>
              {chosen.others.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <p class="aside">
            All others do in {turnName(turn)} what they did. The bots play on from there.
          </p>
        </>
      )}
    </fieldset>
  );
}
