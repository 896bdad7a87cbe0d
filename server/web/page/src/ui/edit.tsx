// The tab in which a bot is written: its code, its state, and what it prints.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { count } from "../core/text.ts";
import type { Line, Workshop } from "../core/workshop.ts";
import { CodeArea } from "./codearea.tsx";
import { MatchResults } from "./results.tsx";
import "./styles/edit.css";

export function Edit({ session, children }: { session: Page; children: ComponentChildren }) {
  const { workshop } = session;
  const [shown, show] = useState<{ line: number } | null>(null);
  const idle = workshop.stage === "idle";
  return (
    <main class="panel edit" aria-label="Write a bot">
      {children}
      <header class="section">
        <h2>Your bot</h2>
        <span class="aside" role="status">{status(workshop)}</span>
      </header>
      <CodeArea
        code={workshop.code}
        label="Code of the bot, in JavaScript. Escape, then Tab, leaves it."
        goTo={shown}
        onInput={(code) => {
          workshop.write(code);
          session.changed(true);
        }}
        onRun={() => workshop.join()}
      />
      <div class="tools">
        <button class="button first" title="Ctrl+Enter" onClick={() => workshop.join()}>{idle ? "Join" : "Rejoin"}</button>
        <button class="button" disabled={idle} onClick={() => workshop.stop()}>Stop</button>
        <label>Name <input type="text" size={10} maxLength={10} value={workshop.nickname} onInput={(e) => workshop.name(e.currentTarget.value)} /></label>
        {session.server.tokens && (
          <label title="From the server's operator. It is forgotten when this tab is closed.">
            Token <input type="password" size={10} maxLength={200} autocomplete="off" value={workshop.token} onInput={(e) => workshop.authorize(e.currentTarget.value)} />
          </label>
        )}
        <label><input type="checkbox" checked={workshop.keep} onChange={(e) => workshop.keepPlaying(e.currentTarget.checked)} /> keep playing</label>
        <span class="space" />
        <button class="button" onClick={() => reset(session)}>Reset to starter</button>
        <button class="button" onClick={() => download(workshop.code)}>Download</button>
        <a class="button" href={`/api/starter?game=${encodeURIComponent(session.game.name)}&language=javascript`} download="my_bot.zip" title="The starter and hexarena.js, which a downloaded bot needs beside it">Kit</a>
      </div>
      {workshop.stage === "seated" && session.server.may("start") && (
        <div class="tools">
          <button class="button first" onClick={() => void session.order("start")}>Start the match</button>
          <span class="aside">with the players who have joined; the tab Match lists them</span>
        </div>
      )}
      <MatchResults session={session} />
      <Printed lines={workshop.lines} onLine={(line) => show({ line })} />
    </main>
  );
}

function status({ stage, turnAsked }: Workshop): string {
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
      return turnAsked < 0 ? "playing" : `playing, turn ${turnAsked}`;
  }
}

function Printed({ lines, onLine }: { lines: Line[]; onLine: (line: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const before = useRef(0);
  useEffect(() => {
    if (follows.current) toEnd(box.current!);
  });
  useEffect(() => {
    // In a narrower window lines are broken, so that the end moves down.
    const observer = new ResizeObserver(() => follows.current && toEnd(box.current!));
    observer.observe(box.current!.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  const scrolled = ({ scrollHeight, scrollTop, clientHeight }: Element): void => {
    // The event of toEnd arrives when more lines may have been added: only a person scrolls up.
    follows.current = scrollHeight - scrollTop - clientHeight < 8 || (follows.current && scrollTop >= before.current);
    before.current = scrollTop;
  };
  return (
    <div
      ref={box}
      class="printed"
      role="log"
      aria-label="What the bot prints"
      tabIndex={0}
      onScroll={(e) => scrolled(e.currentTarget)}
    >
      <ol>
        {lines.length === 0 && <li class="note">Output of console.log() and errors appear here.<span class="keyboard"> Ctrl+Enter joins.</span></li>}
        {lines.map((l, i) => (
          <li key={i} class={l.level}>
            {l.line > 0 && <button onClick={() => onLine(l.line)}>line {l.line}</button>}
            <span>{l.text}</span>
            {l.times > 1 && <small>{count(l.times, "time")}</small>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function toEnd(box: Element): void {
  box.scrollTop = box.scrollHeight;
}

function reset(session: Page): void {
  session.workshop.write(session.workshop.starter.code);
  session.say("The starter is restored. Press Ctrl+Z in the editor to get your code back.");
}

function download(code: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  link.download = "my_bot.js";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
