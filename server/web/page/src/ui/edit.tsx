// The tab in which a bot is written: the code, what the bot does, what it prints.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Session } from "../core/session.ts";
import { count } from "../core/text.ts";
import type { Line, Workshop } from "../core/workshop.ts";
import { CodeArea } from "./codearea.tsx";
import { Encore } from "./results.tsx";
import "./styles/edit.css";

export function Edit({ session }: { session: Session }) {
  const { workshop } = session;
  const [shown, show] = useState<{ line: number } | null>(null);
  const idle = workshop.stage === "idle";
  return (
    <section class="panel edit" aria-label="Write a bot">
      <header class="section">
        <h2>Your bot</h2>
        <span class="aside" role="status">{status(workshop)}</span>
      </header>
      <CodeArea
        code={workshop.code}
        label="The bot's code, in JavaScript. Escape, then Tab, leaves it."
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
        <label><input type="checkbox" checked={workshop.keep} onChange={(e) => workshop.keepPlaying(e.currentTarget.checked)} /> keep playing</label>
        <span class="space" />
        <button class="button" onClick={() => reset(session)}>Reset to starter</button>
        <button class="button" onClick={() => download(workshop.code)}>Download</button>
      </div>
      {workshop.stage === "seated" && session.server.may("start") && (
        <div class="tools">
          <button class="button first" onClick={() => void session.order("start")}>Start the match</button>
          <span class="aside">with those who are there; they are in the tab Match</span>
        </div>
      )}
      <Encore session={session} />
      <Printed lines={workshop.lines} onLine={(line) => show({ line })} />
    </section>
  );
}

function status({ stage, turnShown }: Workshop): string {
  switch (stage) {
    case "idle":
      return "not in a match";
    case "waiting":
      return "joins the next match";
    case "starting":
      return "starting";
    case "seated":
      return "waits for the start";
    case "playing":
      return turnShown < 0 ? "playing" : `playing, turn ${turnShown}`;
  }
}

function Printed({ lines, onLine }: { lines: Line[]; onLine: (line: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (list.current && follows.current) list.current.scrollTop = list.current.scrollHeight;
  });
  return (
    <ol
      ref={list}
      class="printed"
      role="log"
      aria-label="What the bot prints"
      tabIndex={0}
      onScroll={(e) => (follows.current = e.currentTarget.scrollHeight - e.currentTarget.scrollTop - e.currentTarget.clientHeight < 8)}
    >
      {lines.length === 0 && <li class="note">What console.log() is given, and mistakes, appear here. Ctrl+Enter joins.</li>}
      {lines.map((l, i) => (
        <li key={i} class={l.level}>
          {l.line > 0 && <button onClick={() => onLine(l.line)}>line {l.line}</button>}
          <span>{l.text}</span>
          {l.times > 1 && <small>{count(l.times, "time")}</small>}
        </li>
      ))}
    </ol>
  );
}

function reset(session: Session): void {
  session.workshop.write(session.workshop.starter.code);
  session.say("The starter is back. Ctrl+Z in the text brings your code back.");
}

function download(code: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  link.download = "my_bot.js";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
