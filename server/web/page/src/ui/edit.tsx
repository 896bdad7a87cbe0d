// The tab in which a bot is written: its code, its state, what it prints, and its versions.

import { type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { botToken, keepBotToken } from "../core/bottoken.ts";
import type { Page } from "../core/page.ts";
import { ROOT } from "../core/root.ts";
import type { Version } from "../core/versions.ts";
import { Workshop } from "../core/workshop.ts";
import { CodeArea } from "./codearea.tsx";
import { adopt } from "./lazy.tsx";
import { Mine } from "./mine.tsx";
import { Output } from "./output.tsx";
import { Tabs } from "./tabs.tsx";
import { VersionList } from "./versionlist.tsx";
import STYLES from "sheet:styles/edit.css";
import { turnName } from "../core/turns.ts";

adopt(STYLES);

export function Edit({ session, children }: { session: Page; children: ComponentChildren }) {
  const workshop = (session.workshop ??= new Workshop(session, session.views[0].starter!));
  const [shown, show] = useState<{ line: number } | null>(null);
  const [below, setBelow] = useState<"output" | "versions">("output");
  const [compared, compare] = useState<Version | null>(null);
  const { starter } = session.game;
  useEffect(() => compare(null), [starter]);
  const idle = workshop.stage === "idle";
  const run = () => {
    setBelow("output");
    workshop.run();
  };
  const mistakes = workshop.lines.filter(({ level, line }) => level === "error" && line > 0);
  return (
    <main class="panel edit" aria-label="Write a bot">
      {children}
      <header class="section">
        <h2>Your bot</h2>
        <Mine session={session} workshop={workshop} />
        <span class="aside" role="status">
          {status(workshop)}
        </span>
      </header>
      <CodeArea
        bot={starter!}
        code={workshop.code}
        label="Code of the bot, in JavaScript. Escape, then Tab, leaves it."
        types={starter!.types}
        mistakes={mistakes}
        original={compared?.code ?? null}
        goTo={shown}
        onInput={(code) => {
          workshop.write(code);
          session.changed(true);
        }}
        onRun={run}
      />
      {compared && (
        <p class="tools compared">
          <span class="aside">
            Compared with version {compared.number}: green lines are new, red ones, without a
            number, are gone.
          </span>
          <span class="space" />
          <button class="button" onClick={() => compare(null)}>
            End comparison
          </button>
        </p>
      )}
      <Tools session={session} workshop={workshop} idle={idle} run={run} />
      {workshop.stage === "seated" && session.server.may("start") && (
        <div class="tools starts">
          <button class="button first" onClick={() => void session.order("start")}>
            Start the match
          </button>
          <span class="aside">with the players who have joined; the tab Match lists them</span>
        </div>
      )}
      {workshop.taken !== null && idle && (
        <div class="tools starts">
          <button class="button first" onClick={() => workshop.takeBack()}>
            Take the seat back
          </button>
          <span class="aside">
            Another browser or program plays for you. If you take its place, it is told.
          </span>
        </div>
      )}
      <header class="section below">
        <Tabs
          label="Below the code"
          options={[
            ["output", "Output"],
            ["versions", `Versions (${workshop.versions.list.length})`],
          ]}
          value={below}
          onSelect={setBelow}
        />
        <span class="aside keyboard">Ctrl+Enter runs. Esc, then Tab, leaves the code.</span>
      </header>
      {below === "output" ? (
        <Output session={session} lines={workshop.lines} onLine={(line) => show({ line })} />
      ) : (
        <VersionList
          session={session}
          workshop={workshop}
          compared={compared}
          onCompare={compare}
        />
      )}
    </main>
  );
}

function Tools({
  session,
  workshop,
  idle,
  run,
}: {
  session: Page;
  workshop: Workshop;
  idle: boolean;
  run: () => void;
}) {
  return (
    <div class="tools">
      <button class="button first" title="Joins a match and plays it. Ctrl+Enter" onClick={run}>
        Run
      </button>
      <button class="button" disabled={idle} onClick={() => workshop.stop()}>
        Stop
      </button>
      {session.server.event && (
        <button
          class="button"
          title="The server plays it while no bot of the team is connected"
          onClick={() => void workshop.send()}
        >
          Send
        </button>
      )}
      <label>
        Name{" "}
        <input
          type="text"
          size={10}
          maxLength={10}
          value={workshop.nickname}
          onInput={(e) => workshop.name(e.currentTarget.value)}
        />
      </label>
      {session.server.tokens && (
        <label title="From the server's operator. It is forgotten when this tab is closed.">
          Token{" "}
          <input
            type="password"
            size={10}
            maxLength={200}
            autocomplete="off"
            defaultValue={botToken()}
            onInput={(e) => keepBotToken(e.currentTarget.value)}
          />
        </label>
      )}
      <label title="Join each match that follows">
        <input
          type="checkbox"
          checked={workshop.keep}
          onChange={(e) => workshop.keepPlaying(e.currentTarget.checked)}
        />{" "}
        keep playing
      </label>
      <span class="space" />
      <button class="button later" onClick={() => reset(session, workshop)}>
        Reset to starter
      </button>
      <button class="button later" onClick={() => download(workshop.code)}>
        Download
      </button>
      <a
        class="button later"
        href={`${ROOT}api/starter?game=${encodeURIComponent(session.game.name)}&language=javascript`}
        download="my_bot.zip"
        title="The starter and hexarena.js, which a downloaded bot needs beside it"
      >
        Kit
      </a>
    </div>
  );
}

function status({ stage, turnSeen }: Workshop): string {
  switch (stage) {
    case "idle":
      return "not in a match";
    case "waiting":
      return "waiting for the next match";
    case "starting":
      return "starting";
    case "seated":
      return "waiting for the start";
    case "playing":
      return turnSeen < 0 ? "playing" : `playing, ${turnName(turnSeen)}`;
  }
}

function reset(session: Page, workshop: Workshop): void {
  workshop.reset();
  session.say("The starter is restored. Press Ctrl+Z in the editor to get your code back.");
}

function download(code: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  link.download = "my_bot.js";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
