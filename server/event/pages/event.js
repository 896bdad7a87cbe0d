// The pages of an event: what is shown follows the server, and forms are sent without leaving the page.
"use strict";

const live = document.querySelector("[data-live]");

/** How often the page asks for what has changed, and how often a countdown moves, in milliseconds. */
const refreshEvery = 2000, second = 1000;

function countDown() {
  for (const at of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round((Number(at.dataset.until) - Date.now()) / second));
    at.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
  }
}

async function refresh() {
  try {
    const answer = await fetch(location.pathname + "?part=live");
    if (answer.ok) live.innerHTML = await answer.text();
  } catch { /* the server is away; the next attempt may reach it */ }
  countDown();
  setTimeout(refresh, refreshEvery);
}

if (live) {
  setTimeout(refresh, refreshEvery);
  countDown();
  setInterval(countDown, second);
}

/** Sends values, and returns the answer or throws its error. */
async function send(path, values, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = "Bearer " + token;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(values) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const join = document.getElementById("join");
join?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const alert = join.querySelector("[role=alert]");
  alert.hidden = true;
  try {
    const team = await send("/join", { name: join.elements.name.value, code: join.elements.code.value });
    team.host = location.hostname;
    const shown = document.getElementById("joined");
    for (const field of shown.querySelectorAll("[data-field]")) field.textContent = team[field.dataset.field];
    shown.hidden = false;
    join.hidden = true;
  } catch (error) {
    alert.textContent = error.message;
    alert.hidden = false;
  }
});

const admin = document.getElementById("admin");
admin?.addEventListener("click", async (event) => {
  const act = event.target.name;
  if (event.target.tagName !== "BUTTON") return;
  const status = admin.querySelector("[role=status]");
  try {
    const { team, name, match } = admin.elements;
    await send("/admin/" + act, { team: Number(team.value), name: name.value, match: Number(match.value) }, location.hash.slice(1));
    status.textContent = "Done: " + event.target.textContent;
  } catch (error) {
    status.textContent = error.message;
  }
  status.hidden = false;
});
