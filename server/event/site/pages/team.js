// The page of a team.

import { here, keepTeam, onRefresh, request, root, save, say, second, send, show, token } from "./event.js";

const own = document.getElementById("own");
const ask = document.getElementById("token");

async function showOwn() {
  if (!own || !token()) return;
  try {
    show(own, await (await request(here("/own"))).text());
  } catch (error) {
    say(ask.querySelector("[role=alert]"), error.message);
    return;
  }
  keepTeam(own.dataset.name, own.querySelector("#bot").dataset.token);
  own.hidden = false;
  ask.hidden = true;
  const language = document.getElementById("language");
  const fill = () => {
    const values = { origin: location.origin, command: language.selectedOptions[0]?.dataset.command ?? "my_bot" };
    for (const at of own.querySelectorAll("[data-fill]")) at.textContent = values[at.dataset.fill];
  };
  fill();
  language.addEventListener("change", fill);
  document.getElementById("starter").addEventListener("click", async () => {
    await save(await request(here("/starter?language=" + language.value)), "my_bot.zip");
  });
  const write = document.getElementById("write");
  write.addEventListener("click", () => {
    sessionStorage.setItem("bot.token", token()); // of this tab, in which the editor opens
    sessionStorage.setItem("bot.team", write.dataset.nick);
    localStorage.setItem("bot.nickname", write.dataset.nick);
    localStorage.setItem("bot.keep", "yes");
  });
  listenToVersions();
  document.getElementById("practise").addEventListener("click", async () => {
    const status = document.getElementById("practising");
    say(status, "");
    try {
      const { match } = await (await send("/event/practice", { against: [document.getElementById("against").value] })).json();
      const link = document.getElementById("practice");
      link.href = root + "?match=" + encodeURIComponent(match);
      link.hidden = false;
    } catch (error) {
      say(status, error.message);
    }
  });
  await Promise.all([showSteps(), showVersions()]);
}

async function showSteps() {
  const steps = document.getElementById("steps");
  if (!steps) return;
  const text = await (await request(here("/steps"))).text();
  if (steps.dataset.text === text) return; // a live region is read when it changes
  const plays = !/<li class="">/.test(text);
  if (plays !== (steps.dataset.plays === "yes")) document.getElementById("how").open = !plays; // folded once a bot plays
  steps.dataset.plays = plays ? "yes" : "no";
  steps.hidden = plays;
  show(steps, (steps.dataset.text = text));
}

/** Has the team send its bot: by choosing a file, or by dropping one anywhere on its section. */
function listenToVersions() {
  const status = document.getElementById("sent");
  const upload = async (file) => {
    if (!file || document.getElementById("send").hidden) return;
    say(status, "Sending " + file.name + " …");
    try {
      await request("/event/versions?name=" + encodeURIComponent(file.name), { method: "POST", body: file });
      say(status, file.name + " was sent. It plays rounds once it has answered a turn in a match of its own.");
      await showVersions();
    } catch (error) {
      say(status, error.message);
    }
  };
  const file = document.getElementById("file");
  file.addEventListener("change", () => void upload(file.files[0]).then(() => (file.value = "")));
  own.addEventListener("dragover", (event) => {
    event.preventDefault();
    own.classList.add("over");
  });
  own.addEventListener("dragleave", () => own.classList.remove("over"));
  own.addEventListener("drop", (event) => {
    event.preventDefault();
    own.classList.remove("over");
    void upload(event.dataTransfer.files[0]);
  });
  const output = document.getElementById("output");
  output.addEventListener("toggle", () => output.open && void showOutput());
}

async function showOutput() {
  const place = document.querySelector("#output pre");
  try {
    place.textContent = await (await request("/event/output")).text();
  } catch (error) {
    place.textContent = error.message;
  }
}

/** Lists the versions of the team with their results. */
async function showVersions() {
  const place = document.getElementById("versions");
  if (!place) return;
  let team;
  try {
    team = await (await request("/event/team")).json();
  } catch {
    return; // the operator looks at the page of a team with another token
  }
  document.getElementById("send").hidden = !team.send;
  say(document.getElementById("nosend"), team.send ? (team.send_only ?? "") : "Versions cannot be sent: " + team.no_send);
  say(document.getElementById("examined"), team.exam?.remark ? "In the exam the last version had: " + team.exam.remark : "");
  const key = JSON.stringify(team.versions);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const table = document.createElement("table");
  const row = (parent, tag, cells) => {
    const line = parent.insertRow();
    for (const cell of cells) {
      const at = document.createElement(tag);
      at.append(...[cell].flat());
      line.append(at);
    }
  };
  row(table.createTHead(), "th", ["Version", "State", "Matches", "Won", "Opponents beaten", ""]);
  for (const v of team.versions ?? []) {
    const name = v.file ? v.file + ", sent " + new Date(v.sent * second).toLocaleTimeString() : v.version || "connected, without a digest";
    const state = v.state + (v.reason ? ": " + v.reason : "") + (v.queue ? ": place " + v.queue + " in the queue of test matches" : "");
    row(table.tBodies[0] ?? table.createTBody(), "td", [name, state, v.matches, v.wins, Math.round(100 * v.beaten) + " %", actsOn(v, team.send)]);
  }
  const wide = Object.assign(document.createElement("div"), { className: "wide", tabIndex: 0, role: "region", ariaLabel: "Versions" });
  wide.append(table);
  place.replaceChildren(...(team.versions?.length ? [wide] : []));
}

/** Returns the buttons that fetch a version that was sent, and let an older one play. */
function actsOn(v, maySend) {
  if (!v.file) return [];
  const status = document.getElementById("sent"), path = "/event/versions/" + v.version;
  const button = (text, act) => {
    const one = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    one.addEventListener("click", () => void act().catch((error) => say(status, error.message)));
    return one;
  };
  const fetchIt = button("Fetch", async () => {
    const answer = await request(path);
    await save(answer, /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition"))?.[1] ?? v.file);
  });
  const play = button("Let it play", async () => {
    await send(path + "/activate", {});
    say(status, v.file + " plays the next rounds, while no bot of yours is connected.");
    await showVersions();
  });
  return v.state === "plays" || v.state === "untried" || !maySend ? [fetchIt] : [fetchIt, " ", play];
}

ask?.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = ask.elements.token.value.trim();
});
window.addEventListener("hashchange", () => void showOwn());
onRefresh(() => Promise.all([showSteps(), showVersions()]));
void showOwn();
