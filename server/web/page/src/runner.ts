// Runs versions of an event in the operator's page, which the server of the event makes, and says there whether it does.

import { type RunnerState, VersionRunner } from "./core/versionrunner.ts";

const place = document.getElementById("runner")!;
const status = place.querySelector("[role=status]")!;
const button = place.querySelector("button")!;
const token = decodeURIComponent(location.hash.slice(1));

function text(state: RunnerState, workers: number): string {
  switch (state) {
    case "connecting":
      return "The page connects to the server.";
    case "runs":
      return `This page runs the versions that teams send, up to ${workers} at once. Keep it open, in a window of its own, and the machine awake: while it is closed they wait.`;
    case "away":
      return "The server does not answer: the versions wait. This page tries again.";
    case "replaced":
      return "Another admin page runs the versions now, since it was opened later.";
    case "denied":
      return "The token in the address is not the operator's: open the address that the program printed.";
  }
}

function show(): void {
  const now = text(runner.state, runner.workers);
  if (status.textContent !== now) status.textContent = now; // a live region is read when it changes
  place.dataset.state = runner.state;
  button.parentElement!.hidden = runner.state !== "replaced";
}

const runner = new VersionRunner(token, show);
button.addEventListener("click", () => runner.connect());
if (token) runner.connect();
window.addEventListener("hashchange", () => location.reload()); // with a token, the page runs them
