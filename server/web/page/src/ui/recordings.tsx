// The list of recordings.

import { useEffect, useState } from "preact/hooks";
import { mapName, number, visible } from "../core/text.ts";

/** Returns the address of a recording as one HTML file. */
export function singleFile(name: string): string {
  return `/api/recordings/${encodeURIComponent(name)}/page.html`;
}

interface Recording {
  name: string;
  when: string;
  rules: string;
  map: string;
  seats: string[];
  turns: number;
  winner: number;
  size: number;
  state: "complete" | "running" | "truncated" | "damaged";
}

/** Why a recording is not complete. */
const STATES = {
  running: "The match is still being played.",
  truncated: "The recording has no end: the server was stopped, or the file was cut.",
  damaged: "A part of the file cannot be read; the turns before it can.",
} as const;

export function Recordings() {
  const [list, setList] = useState<Recording[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    fetch("/api/recordings")
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error(String(r.status)))))
      .then(setList)
      .catch(() => setProblem("The recordings could not be loaded."));
  }, []);
  return (
    <main class="page recordings" tabIndex={0}>
      <h1>Recordings</h1>
      {problem && <p>{problem}</p>}
      {list?.length === 0 && <p>No recordings yet. Matches played with recording on appear here.</p>}
      {list && list.length > 0 && (
        <table>
          <thead><tr><th>Match</th><th>Map</th><th>Turns</th><th>When</th><th>Download</th></tr></thead>
          <tbody>
            {list.map((r) => (
              <tr key={r.name}>
                <td>
                  <a href={`/?recording=${encodeURIComponent(r.name)}`} title={r.name}>
                    {r.seats.map((s, i) => <>{i > 0 && ", "}<bdi key={i} class={i === r.winner ? "winner" : ""}>{visible(s)}</bdi></>)}
                    {r.seats.length === 0 && r.name}
                  </a>
                </td>
                <td>{r.rules.startsWith(`${r.map}/`) ? "" : mapName(r.map)}</td>
                <td>{number(r.turns)}<span class="unit"> turns</span>{r.state !== "complete" && <span class={`mark ${r.state}`} title={STATES[r.state]}>{r.state}</span>}</td>
                <td>{new Date(r.when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}</td>
                <td>
                  <a href={singleFile(r.name)} download aria-label={`Download ${r.name} as one HTML file`} title="Download as one HTML file">HTML file</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}
