// The dialog that starts a game in this page, against a built-in bot, a bot at an
// address, or another person, who gets a link.

import { useEffect, useState } from "preact/hooks";
import { copy } from "../../core/clipboard.ts";
import { post } from "../../core/http.ts";
import { at, ROOT } from "../../core/root.ts";
import type { Session } from "../../core/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { viewOf } from "./play.ts";
import type { Side } from "./story.ts";

type Opponent = "built-in" | "bot" | "human";

/** Time controls as POST /game/new takes them. */
const TIMES = {
  none: { text: "No clock", config: { clock_type: "none" } },
  minute: {
    text: "1 min + 1 s",
    config: { clock_type: "incremental", clock: 60, clock_increment: 1 },
  },
  five: {
    text: "5 min + 5 s",
    config: { clock_type: "incremental", clock: 300, clock_increment: 5 },
  },
  move: { text: "30 s a move", config: { clock_type: "turn", clock: 30 } },
} as const;
type Time = keyof typeof TIMES;

/** The last game that was begun against a bot: rematch begins it again, with the sides changed. */
let lastGame: { mine: Side; opponent: object; time: Time } | null = null;

/** Reports whether there is a game to be begun again. */
export function mayRematch(): boolean {
  return lastGame !== null;
}

/** Begins the last game again with the sides changed. */
export async function rematch(session: Session): Promise<void> {
  const { mine, opponent, time } = lastGame!;
  try {
    sitIn(
      session,
      mine === "x" ? "o" : "x",
      opponent,
      time,
      await ask(mine === "x" ? "o" : "x", opponent, time),
    );
  } catch (e) {
    session.say((e as Error).message);
  }
}

function sitIn(
  session: Session,
  mine: Side,
  opponent: object,
  time: Time,
  { game_id: game = "", token_x: x = "", token_o: o = "" }: Created,
): void {
  lastGame = { mine, opponent, time };
  viewOf(session).sit({ game, side: mine, token: mine === "x" ? x : o });
}

interface Created {
  game_id?: string;
  token_x?: string;
  token_o?: string;
  detail?: string;
}

export function NewGame({ session }: { session: Session }) {
  const [bots, setBots] = useState<string[]>([]);
  const [side, setSide] = useState<Side | "any">("any");
  const [opponent, setOpponent] = useState<Opponent>("built-in");
  const [name, setName] = useState("");
  const [url, setURL] = useState("http://localhost:8002");
  const [time, setTime] = useState<Time>("none");
  const [problem, setProblem] = useState("");
  const [link, setLink] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void fetch(at("/game/bots"))
      .then((r) => r.json())
      .then(({ bots }: { bots: string[] }) => {
        setBots(bots);
        setName(bots[0] ?? "");
        if (bots.length === 0) setOpponent("human");
      })
      .catch(() => setProblem("The server does not answer."));
  }, []);

  const begin = async () => {
    setBusy(true);
    setProblem("");
    try {
      const mine: Side = side === "any" ? (Math.random() < 0.5 ? "x" : "o") : side;
      const other = {
        "built-in": { type: "built-in", name },
        bot: { type: "bot", bot_url: url },
        human: { type: "human" },
      }[opponent];
      const created = await ask(mine, other, time);
      sitIn(session, mine, other, time, created);
      const { game_id: id = "", token_x: x = "", token_o: o = "" } = created;
      if (opponent === "human") lastGame = null; // the other person has no link to it
      if (opponent === "human")
        setLink(address(id, mine === "x" ? "o" : "x", mine === "x" ? o : x));
      else session.openDialog(null);
    } catch (e) {
      setProblem((e as Error).message);
    }
    setBusy(false);
  };
  return (
    <Modal session={session} look="newgame" title="Play hexagonal tic-tac-toe">
      {link !== "" ? (
        <Link session={session} link={link} />
      ) : (
        <>
          <fieldset>
            <legend>You play</legend>
            <Tabs
              label="Your side"
              options={
                [
                  ["any", "Either"],
                  ["x", "Cross"],
                  ["o", "Circle, moves first"],
                ] as const
              }
              value={side}
              onSelect={setSide}
            />
          </fieldset>
          <fieldset>
            <legend>Against</legend>
            <Tabs
              label="Opponent"
              options={(
                [
                  ["built-in", "Built-in bot"],
                  ["bot", "Bot at an address"],
                  ["human", "Another person"],
                ] as const
              ).filter(([o]) => o !== "built-in" || bots.length > 0)}
              value={opponent}
              onSelect={setOpponent}
            />
            {opponent === "built-in" && (
              <select
                aria-label="Built-in bot and its level"
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
              >
                {bots.map((b) => (
                  <option key={b} value={b}>
                    {b.replace(":", ", ")}
                    {bots.some((o) => o.startsWith(`${b}:`)) && ", hard"}
                  </option>
                ))}
              </select>
            )}
            {opponent === "bot" && (
              <input
                type="url"
                aria-label="Address of the bot"
                value={url}
                onInput={(e) => setURL(e.currentTarget.value)}
              />
            )}
            {opponent === "human" && <p class="aside">You get a link for the other person.</p>}
          </fieldset>
          <fieldset>
            <legend>Time</legend>
            <Tabs
              label="Time control"
              options={(Object.keys(TIMES) as Time[]).map((t) => [t, TIMES[t].text] as const)}
              value={time}
              onSelect={setTime}
            />
          </fieldset>
          {problem !== "" && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <p class="acts">
            <button
              class="button first"
              disabled={busy || (opponent === "built-in" && name === "")}
              onClick={() => void begin()}
            >
              Begin
            </button>
          </p>
        </>
      )}
    </Modal>
  );
}

/** The link for the other person. */
function Link({ session, link }: { session: Session; link: string }) {
  return (
    <>
      <p class="aside">
        The game begins when the other person opens this link. Anyone with the link can take the
        seat. If you close this page, come back within 30 seconds.
      </p>
      <p class="link">
        <code>{link}</code>
        <button class="button" onClick={() => void copy(session, "Link", link)}>
          Copy link
        </button>
      </p>
      <p class="acts">
        <button class="button first" onClick={() => session.openDialog(null)}>
          To the board
        </button>
      </p>
    </>
  );
}

async function ask(mine: Side, opponent: object, time: Time): Promise<Created> {
  const [me, other] = mine === "x" ? ["player_x", "player_o"] : ["player_o", "player_x"];
  const response = await post(at("/game/new"), {
    [me]: { type: "human" },
    [other]: opponent,
    match_config: TIMES[time].config,
  });
  const created = (await response.json()) as Created;
  if (!response.ok) throw new Error(created.detail ?? "The server did not create the game.");
  return created;
}

function address(game: string, side: Side, token: string): string {
  const url = new URL(ROOT, location.href);
  url.hash = `play=${game}.${side}.${token}`;
  return url.href;
}

/** Returns the seat that an address such as /#play=GAME.o.TOKEN invites to, or null. */
export function invitation(hash: string): { game: string; side: Side; token: string } | null {
  const match = /^#play=(\w+)\.([xo])\.(\w+)$/.exec(hash);
  return match && { game: match[1], side: match[2] as Side, token: match[3] };
}

/** A button that opens the dialog, where the server makes games on request. */
export function PlayHere({ session }: { session: Session }) {
  const { seat, trial } = viewOf(session);
  // The controls of a player offer another game, too.
  const offered = seat !== null && (seat.over === "" || seat.game === session.store.start?.id);
  if (!session.server.newGames || offered || trial) return null;
  return (
    <section class="encore" aria-label="Play here">
      <button class="button first" onClick={() => session.openDialog(NewGame)}>
        <Icon name="play" size={18} /> Play hexagonal tic-tac-toe
      </button>
    </section>
  );
}
