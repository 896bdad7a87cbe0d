// The pages of an event: what is shown follows the server, and forms are sent without leaving the page.
"use strict";

const live = document.querySelector("[data-live]");

/** Where the server's paths begin: a proxy may show them below another one, such as "/arena/". */
const root = new URL(".", document.currentScript.src).pathname;

/** Returns where the server finds this page, or what is below it. */
const here = (below = "") => location.pathname.slice(root.length - 1) + below;

/** Makes the links in an element lead to the server. */
function relink(element) {
  for (const a of element.querySelectorAll('a[href^="/"]')) a.setAttribute("href", root + a.getAttribute("href").slice(1));
}
relink(document);

function show(element, html) {
  element.innerHTML = html;
  relink(element);
}

/** How often the page asks for what has changed, and how often a countdown moves, in milliseconds. */
const refreshEvery = 2000, second = 1000;

/** The token is in the address behind the #, which browsers do not send. */
const token = () => decodeURIComponent(location.hash.slice(1));

function clock(milliseconds) {
  const left = Math.max(0, Math.round(milliseconds / second));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(left / 3600), minutes = Math.floor(left / 60);
  return (hours > 0 ? hours + ":" + two(minutes % 60) : minutes) + ":" + two(left % 60);
}

let fetched = Date.now();
function countDown() {
  for (const at of document.querySelectorAll("[data-until]")) at.textContent = clock(Number(at.dataset.until) - Date.now());
  for (const at of document.querySelectorAll("[data-since]")) at.textContent = clock(Number(at.dataset.since) + Date.now() - fetched);
}

async function refresh() {
  try {
    const answer = await fetch(location.pathname + "?part=live");
    if (answer.ok) {
      show(live, await answer.text());
      fetched = Date.now();
    }
    await Promise.all([showSteps(), showVersions(), showActs()]);
  } catch { /* the server is away; the next attempt may reach it */ }
  countDown();
  setTimeout(refresh, refreshEvery);
}

/** Requests what needs the token; throws the server's error. */
async function request(path, options = {}) {
  const headers = { Authorization: "Bearer " + token() };
  if (typeof options.body === "string") headers["Content-Type"] = "application/json";
  const response = await fetch(root + path.slice(1), { ...options, headers });
  if (!response.ok) throw new Error((await response.json()).error);
  return response;
}

const send = (path, values) => request(path, { method: "POST", body: JSON.stringify(values) });

/** Has the browser save a response as a file. */
async function save(response, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10 * second);
}

function say(where, text) {
  where.textContent = text;
  where.hidden = text === "";
}

// The page to join.

const join = document.getElementById("join");
join?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const alert = join.querySelector("[role=alert]");
  say(alert, "");
  try {
    const team = await (await send("/join", { name: join.elements.name.value, code: join.elements.code.value })).json();
    localStorage.setItem("event.team", JSON.stringify({ name: team.name, page: team.page, token: team.token }));
    location.href = root + team.page.slice(1) + "#" + team.token;
  } catch (error) {
    say(alert, error.message);
  }
});
const before = document.getElementById("before");
const kept = JSON.parse(localStorage.getItem("event.team") ?? "null");
if (before && kept) {
  before.querySelector("a").textContent = kept.name;
  before.querySelector("a").href = root + kept.page.slice(1) + "#" + kept.token;
  before.hidden = false;
}

// The page of a team.

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
  own.hidden = false;
  ask.hidden = true;
  const language = document.getElementById("language");
  const fill = () => {
    const values = { origin: location.origin, host: location.hostname, command: language.selectedOptions[0]?.dataset.command ?? "my_bot" };
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
  own.classList.toggle("later", !/<li class="">/.test(text));
  if (steps.dataset.text !== text) show(steps, (steps.dataset.text = text)); // a live region is read when it changes
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
  const row = (parent, tag, texts) => {
    const line = parent.insertRow();
    for (const text of texts) line.append(Object.assign(document.createElement(tag), { textContent: text }));
  };
  row(table.createTHead(), "th", ["Version", "State", "Matches", "Won", "Opponents beaten"]);
  for (const v of team.versions ?? []) {
    const name = v.file ? v.file + ", sent " + new Date(v.sent * second).toLocaleTimeString() : v.version || "connected, without a digest";
    row(table.tBodies[0] ?? table.createTBody(), "td", [name, v.state + (v.reason ? ": " + v.reason : "") + (v.queue ? ": place " + v.queue + " in the queue of test matches" : ""), v.matches, v.wins, Math.round(100 * v.beaten) + " %"]);
  }
  place.replaceChildren(...(team.versions?.length ? [table] : []));
}

ask?.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = ask.elements.token.value.trim();
});
window.addEventListener("hashchange", () => void showOwn());
void showOwn();

// The operator's page.

const admin = document.getElementById("admin");

async function act(name, values, title) {
  const status = admin.querySelector("[role=status]");
  try {
    const { note } = await (await send("/admin/" + name, values)).json();
    say(status, "Done: " + title + (note ? "; " + note : ""));
    await showActs();
  } catch (error) {
    say(status, error.message);
  }
}

admin?.addEventListener("submit", (event) => event.preventDefault());
admin?.addEventListener("click", (event) => {
  const button = event.target;
  if (button.tagName !== "BUTTON" || !button.name) return;
  const { team, name, match, text, map, turns, milliseconds, minutes, format, teams, best, address, back } = admin.elements;
  void act(button.name, {
    team: Number(team.value), name: name.value, match: Number(match.value), text: text.value,
    map: map.value, turns: Number(turns.value), milliseconds: Number(milliseconds.value),
    minutes: Number(minutes.value), format: format.value, teams: Number(teams.value), best: Number(best.value),
    address: address.value, back: Number(back.value),
  }, button.textContent);
});

/** Lists the last acts, each with a button that takes it back. */
async function showActs() {
  const list = document.getElementById("acts");
  if (!list || !token()) return;
  const { acts } = await (await request("/admin/acts")).json();
  const key = JSON.stringify(acts);
  if (list.dataset.key === key) return; // a button that has the focus stays
  list.dataset.key = key;
  list.replaceChildren(...(acts ?? []).map(({ at, text, undo, form }) => {
    const row = document.createElement("li");
    row.append(new Date(at * second).toLocaleTimeString() + " " + text + " ");
    if (undo) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Take back";
      button.setAttribute("aria-label", "Take back: " + text);
      button.addEventListener("click", () => void act(undo, form, "took back: " + text));
      row.append(button);
    }
    return row;
  }));
}

for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", async () => {
    const name = button.dataset.save;
    try {
      await save(await request("/admin/" + name), name);
    } catch (error) {
      say(admin.querySelector("[role=status]"), error.message);
    }
  });
}
document.getElementById("slips")?.addEventListener("click", async () => {
  const paper = document.getElementById("paper");
  try {
    const { slips } = await (await request("/admin/slips")).json();
    paper.replaceChildren(...(slips ?? []).map((slip) => {
      const one = document.createElement("section");
      for (const [tag, text] of [["h2", slip.Name], ["p", "Your page: " + slip.Page], ["p", "Your token: " + slip.Token]]) {
        one.append(Object.assign(document.createElement(tag), { textContent: text }));
      }
      return one;
    }));
    paper.hidden = false;
    window.print();
  } catch (error) {
    say(admin.querySelector("[role=status]"), error.message);
  }
});

if (live) {
  setTimeout(refresh, refreshEvery);
  countDown();
  setInterval(countDown, second);
}
void showActs()?.catch(() => {});
