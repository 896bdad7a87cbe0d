// The sheet from which a turn is shared: as a link, a picture, an animation, a file, or in a page of another site.

import { useEffect, useRef, useState } from "preact/hooks";
import STYLES from "sheet:styles/share.css";
import { copy } from "../core/clipboard.ts";
import { fetchRetrying, problemOf } from "../core/http.ts";
import { animation, frameOf, singleFile } from "../core/link.ts";
import type { Page } from "../core/page.ts";
import { title } from "./heading.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { Modal } from "./modal.tsx";
import { save, snapshot } from "./snapshot.ts";
import { Tabs } from "./tabs.tsx";

adopt(STYLES);

/** The lengths of an animation, in turns; the server makes at most 60. */
const LENGTHS = [10, 20, 40] as const;

export function Share({ session }: { session: Page }) {
  // The match may go on behind the sheet, which is about the turn at which it was opened.
  const [{ turn, link, name, shows }] = useState(() => ({
    turn: session.player.turn,
    link: session.link,
    name: title(session),
    shows: drawn(session),
  }));
  const { store, game, server, embedded, followed } = session;
  const recording = session.recording ?? store.start?.recording ?? null;
  const served = recording !== null && !embedded;
  const what = store.start ? `${game.unit} ${game.count(turn)}` : "the lobby";
  return (
    <Modal session={session} look="keys share" title={`Share ${what}`}>
      <Text session={session} label="Link" name="Link" text={link.href}>
        {followed >= 0 && (
          <>
            With <b>{store.seats[followed]?.nickname}</b> followed.{" "}
          </>
        )}
        {reach(session, recording !== null)}
      </Text>
      {store.start && (
        <section aria-label="Files">
          {shows && (
            <Make
              icon="download"
              text="Picture (PNG)"
              make={() => snapshot(session, name)}
              name={`${name}.png`}
            />
          )}
          {served && server.draws && (
            <Animation session={session} recording={recording} turn={turn} />
          )}
          <button
            class="button"
            onClick={() => (session.openDialog(null), session.select("compare"))}
          >
            <Icon name="compare" /> Compare with other turns
          </button>
          {served && (
            <a class="button" href={singleFile(recording)} download>
              <Icon name="film" /> Whole match, one HTML file
            </a>
          )}
        </section>
      )}
      {!served && store.start && !embedded && (
        <p class="aside">
          This match is not recorded: there is no animation, no file, and the link ends with the
          server.
        </p>
      )}
      {!embedded && store.start && (
        <Text
          session={session}
          label="In a page of another site"
          name="Code"
          text={frameOf(link, name)}
        >
          The board with its timeline, in a frame.{" "}
          {link.protocol === "http:" &&
            "Pages that were loaded over https do not show frames over http."}
        </Text>
      )}
    </Modal>
  );
}

/** Reports whether the board is a drawing. */
function drawn({ game, board }: Page): boolean {
  return game.show !== undefined && board.element.querySelector("canvas:not([hidden])") !== null;
}

/** Returns who can open the link, and for how long. */
function reach({ embedded, server }: Page, recorded: boolean): string {
  if (embedded) return "It leads to this file, on this machine.";
  if (!server.url)
    return "Only this machine can open it: the server was started without an address for others, such as --http 0.0.0.0:8080.";
  return recorded ? "It works for everyone who can reach this server." : "";
}

/** A text with a button that copies it. */
function Text({
  session,
  label,
  name,
  text,
  children,
}: {
  session: Page;
  label: string;
  name: string;
  text: string;
  children: preact.ComponentChildren;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const take = () => {
    field.current!.select(); // so that a viewer whose browser refuses can copy it with the keyboard
    void copy(session, name, text, "It is selected: press Ctrl+C.");
  };
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      <div class="text">
        <textarea
          ref={field}
          readOnly
          rows={name === "Code" ? 5 : 2}
          aria-label={label}
          spellcheck={false}
          onFocus={(e) => e.currentTarget.select()}
        >
          {text}
        </textarea>
        <button class="button" aria-label={`Copy the ${name.toLowerCase()}`} onClick={take}>
          <Icon name="copy" /> Copy
        </button>
      </div>
      <p class="aside">{children}</p>
    </section>
  );
}

/** Offers an animation of the last turns. */
function Animation({
  session,
  recording,
  turn,
}: {
  session: Page;
  recording: string;
  turn: number;
}) {
  const [length, set] = useState<(typeof LENGTHS)[number]>(20);
  const from = Math.max(0, turn - length);
  const make = async (signal: AbortSignal) => {
    const response = await fetchRetrying(
      animation(recording, from, turn, session.theme.name),
      signal,
    );
    if (!response.ok) throw new Error(await problemOf(response));
    return response.blob();
  };
  return (
    <div class="animation">
      <Make
        icon="film"
        text="Animation (GIF)"
        make={make}
        name={`${recording.replace(/\.hexarena$/, "")}-${from}-${turn}.gif`}
      />
      <span class="aside">of the last</span>
      <Tabs
        label="Turns of the animation"
        options={LENGTHS.map((n) => [n, String(n)] as const)}
        value={length}
        onSelect={set}
      />
      <span class="aside">{session.game.unit}s</span>
    </div>
  );
}

/** A button that makes a file and has the browser save it. */
function Make({
  icon,
  text,
  name,
  make,
}: {
  icon: IconName;
  text: string;
  name: string;
  make: (signal: AbortSignal) => Promise<Blob>;
}) {
  const [state, set] = useState<{ problem: string } | "idle" | "busy">("idle");
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  const press = async () => {
    set("busy");
    const { signal } = ending.current;
    try {
      save(await make(signal), name);
      set("idle");
    } catch (e) {
      if (!signal.aborted)
        set({
          problem: e instanceof TypeError ? "The server does not answer." : (e as Error).message,
        });
    }
  };
  return (
    <>
      <button class="button" disabled={state === "busy"} onClick={() => void press()}>
        <Icon name={icon} /> {state === "busy" ? "Drawing …" : text}
      </button>
      {typeof state === "object" && (
        <p class="aside problem" role="alert">
          {state.problem}
        </p>
      )}
    </>
  );
}
