// The tab My bot: what a bot printed and sent in the current turn, and the outcome
// of its actions.

import { useLayoutEffect, useRef } from "preact/hooks";
import {
  answerOf,
  crashLines,
  debugOf,
  isPointer,
  lastPrinted,
  outcomes,
  printedBy,
} from "../core/botoutput.ts";
import { Curves } from "../core/curves.ts";
import type { Printed } from "../core/feed.ts";
import type { Page } from "../core/page.ts";
import { playCommand } from "../core/starter.ts";
import { coordinate, count, number } from "../core/text.ts";
import { paintOf } from "../core/theme.ts";
import { Glyph, Icon } from "./icons.tsx";
import { Spark } from "./spark.tsx";
import STYLES from "sheet:styles/mybot.css";
import { adopt } from "./lazy.tsx";
import { answeredTurn } from "../core/turns.ts";

adopt(STYLES);

export function MyBot({ session }: { session: Page }) {
  const { mine } = session;
  return (
    <section class="mybot" aria-label="My bot">
      <BotChoice session={session} />
      {mine < 0 ? (
        <NoBot session={session} />
      ) : (
        <>
          <BotHeader session={session} />
          <PrintedLines session={session} />
          <DebugText session={session} />
          <Layers session={session} />
          <Values session={session} />
          <Actions session={session} />
        </>
      )}
    </section>
  );
}

/** Buttons that choose the player whose bot is shown. */
function BotChoice({ session }: { session: Page }) {
  const { store, theme, mine } = session;
  return (
    <div class="choice" role="group" aria-label="Whose bot">
      {store.seats.map((seat) => (
        <button
          key={seat.id}
          aria-pressed={seat.id === mine}
          aria-label={`Follow ${seat.nickname}`}
          style={{ "--line": paintOf(theme, session.slot(seat.id)).line }}
          onClick={() => seat.id !== session.followed && session.follow(seat.id)}
        >
          <Glyph theme={theme} slot={session.slot(seat.id)} size={26} />
          <bdi>{seat.nickname}</bdi>
        </button>
      ))}
    </div>
  );
}

function NoBot({ session }: { session: Page }) {
  const { starter } = session.game;
  return (
    <div class="quiet">
      <p>
        The server started none of these bots. Choose one above
        <span class="keyboard">, or with the keys 1 to 9</span>.
      </p>
      {starter && (
        <p>
          For a bot of your own:{" "}
          <code>{["hexarena new", starter.option, "my_bot.py"].filter(Boolean).join(" ")}</code>,
          then <code>{playCommand(starter, "my_bot.py")} --open</code>.
        </p>
      )}
    </div>
  );
}

function BotHeader({ session }: { session: Page }) {
  const { store, mine, theme } = session;
  const seat = store.seats[mine];
  return (
    <header class="bot">
      <Glyph theme={theme} slot={session.slot(mine)} size={40} />
      <div>
        <h2>
          <bdi>{seat.nickname}</bdi> {seat.label !== seat.nickname && <small>{seat.label}</small>}
        </h2>
        <p>{state(session)}</p>
      </div>
      {session.game.mark && (
        <button
          class="toggle"
          aria-pressed={session.overlaid}
          onClick={() => session.toggleOverlay()}
          title="Cells that the bot marks on the board"
        >
          <Icon name="coordinates" size={18} /> Overlay <kbd>G</kbd>
        </button>
      )}
    </header>
  );
}

/** Returns how the bot answered in the current turn, in words. */
function state({ store, player, mine }: Page): string {
  const gone = store.answers.goneSince[mine];
  const how = store.answers.ending(mine, player.turn);
  if (gone !== undefined && gone <= player.turn)
    return how ? `${how}, gone since ${answeredTurn(gone)}` : `gone since ${answeredTurn(gone)}`;
  if (player.turn === 0) return "before the first turn";
  const found = answerOf(store, mine, player.turn);
  if (!found) return `${answeredTurn(player.turn)} · no answer`;
  const { lapse } = found.answer;
  const thought = store.answers.thought(mine, player.turn);
  const answered =
    lapse === undefined
      ? `answered in ${thought}`
      : lapse === "timed out"
        ? `${lapse}, ${thought}`
        : lapse;
  return `${answeredTurn(player.turn)} · ${answered}`;
}

/** What the bot printed in the current turn; if it has left, its last output. */
function PrintedLines({ session }: { session: Page }) {
  const { store, player, mine } = session;
  const gone = store.answers.goneSince[mine];
  const dead = gone !== undefined && gone <= player.turn;
  const printed = printedBy(store, mine, player.turn);
  const last = dead && !printed ? lastPrinted(store, mine, player.turn) : null;
  const shown = printed ?? last?.printed;
  if (!shown && !store.seats[mine].started) return null;
  return (
    <section class="words" aria-label="What it printed">
      <h3>{last ? `Last output, ${answeredTurn(last.turn)}` : "Printed"}</h3>
      {shown ? (
        <Console printed={shown} />
      ) : (
        <p class="none">{dead ? "It ended without output." : "Nothing in this turn."}</p>
      )}
    </section>
  );
}

function Console({ printed }: { printed: Printed }) {
  const crash = crashLines(printed.lines);
  const place = useRef<HTMLPreElement>(null);
  // The error stands at the end of a traceback.
  useLayoutEffect(() => {
    if (place.current && crash.includes(true)) place.current.scrollTop = place.current.scrollHeight;
  }, [printed.lines.join("\n")]);
  return (
    <pre ref={place} tabIndex={0} aria-label="Printed lines">
      {(printed.lost ?? 0) > 0 && (
        <span class="cut">
          {count(printed.lost!, "earlier line")} left out{"\n"}
        </span>
      )}
      {printed.lines.map(
        (line, i) =>
          !(crash[i] && isPointer(line)) && (
            <span key={i} class={!crash[i] ? "" : crash[i + 1] ? "crash" : "crash last"}>
              {line}
              {"\n"}
            </span>
          ),
      )}
    </pre>
  );
}

/** The text that the bot sent, and the number of cells that it marked. */
function DebugText({ session }: { session: Page }) {
  const { store, player, mine } = session;
  const { text, cells } = debugOf(answerOf(store, mine, player.turn)?.answer);
  if (!text && cells.length === 0) return null;
  const marked = cells.filter(({ shape }) => shape === "cell").length;
  return (
    <section class="words" aria-label="What it thinks">
      <h3>Thoughts {marked > 0 && <small>{count(marked, "cell")} marked</small>}</h3>
      {text && (
        <pre tabIndex={0} aria-label="Text of the bot">
          {text}
        </pre>
      )}
    </section>
  );
}

/** Switches for the layers of the bot's marks, if it has named any. */
function Layers({ session }: { session: Page }) {
  const { layers, store, mine } = session;
  const names = [...layers.follow(store, mine).names];
  if (!session.game.mark || names.every((name) => name === "")) return null;
  return (
    <section class="layers" aria-label="Layers of the overlay">
      <h3>On the board</h3>
      <div>
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={layers.shows(name)}
              onChange={() => layers.toggle(name)}
            />{" "}
            <bdi>{name || "without a layer"}</bdi>
          </label>
        ))}
      </div>
    </section>
  );
}

/** The values that the bot sent, as small curves up to the current turn. */
function Values({ session }: { session: Page }) {
  const curves = useRef<Curves | null>(null);
  const { store, player, mine } = session;
  const { lines, more } = (curves.current ??= new Curves()).follow(store, mine);
  if (lines.size === 0) return null;
  return (
    <section class="values" aria-label="Values">
      <h3>Values {more > 0 && <small>and {more} more</small>}</h3>
      <div class="sparks">
        {[...lines].map(([name, line]) => (
          <Spark
            key={`${mine} ${name}`}
            session={session}
            name={name}
            line={line}
            turn={player.turn}
          />
        ))}
      </div>
    </section>
  );
}

/** The actions of the bot, with the reasons of refusals. */
function Actions({ session }: { session: Page }) {
  const { store, player, mine } = session;
  const list = outcomes(store, mine, player.turn);
  const omitted = answerOf(store, mine, player.turn)?.answer.omitted;
  const refused = list.filter((d) => d.refused).length;
  return (
    <section class="deeds" aria-label="Actions">
      <h3>
        Actions{" "}
        {list.length > 0 && (
          <small>
            {refused > 0 ? `${refused} of ${list.length} refused` : `${list.length}, all accepted`}
          </small>
        )}
      </h3>
      {list.length === 0 && (
        <p class="none">
          {omitted ? `${number(omitted)} bytes, too many to show.` : "None in this turn."}
        </p>
      )}
      <ul>
        {list.map((d, i) => (
          <li key={i} class={d.refused ? "refused" : ""}>
            <span class="id">
              {typeof d.action.id === "number" ? `#${coordinate(d.action.id)}` : ""}
            </span>
            <span>{session.game.describeAction(d.action)}</span>
            <span class="outcome">
              {d.refused ? (
                <>
                  <Icon name="warning" size={16} /> {d.refused}
                </>
              ) : (
                <>
                  <Icon name="check" size={16} />
                  <span class="unseen">accepted</span>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
