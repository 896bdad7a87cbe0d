// What the pages of an event share: the theme, the header, what changes, and requests.

/** Where the server's paths begin: a proxy may show them below another one, such as "/arena/". */
export const root = new URL(".", import.meta.url).pathname;

/** Returns where the server finds this page, or what is below it. */
export const here = (below = "") => location.pathname.slice(root.length - 1) + below;

/** How often the page asks for what has changed, and how often a countdown moves, in milliseconds. */
const refreshEvery = 2000;
export const second = 1000;

/** The token is in the address behind the #, which browsers do not send. */
export const token = () => decodeURIComponent(location.hash.slice(1));

// The theme, which the pages of matches keep in the same place.

const light = matchMedia("(prefers-color-scheme: light)");
const theme = () => localStorage.getItem("theme") ?? (light.matches ? "light" : "dark");
const paint = () => (document.documentElement.dataset.theme = theme());
paint();
light.addEventListener("change", paint);
document.getElementById("theme").addEventListener("click", () => {
  localStorage.setItem("theme", theme() === "light" ? "dark" : "light");
  paint();
});

// The header, which leads back to the team of this browser, or to the operator's page.

/** Returns the team that this browser signed up last, or undefined. */
export const kept = () => JSON.parse(localStorage.getItem("event.team") ?? "null") ?? undefined;

/** Keeps the team whose page this is, if the page was opened with the team's own token. */
export function keepTeam(name, own) {
  if (own !== token()) return;
  localStorage.setItem("event.team", JSON.stringify({ name, page: here(), token: own }));
  showWays();
}

const isOperator = document.body.className === "admin";
if (isOperator && token()) sessionStorage.setItem("operator", token());
/** The operator's token, if this tab has shown the operator's page. */
const operator = sessionStorage.getItem("operator");

function showWays() {
  const mine = document.getElementById("mine"), team = kept();
  if (operator) {
    mine.textContent = "Operator";
    mine.setAttribute("href", root + "admin#" + operator);
  } else if (team) {
    mine.textContent = "My team";
    mine.setAttribute("href", root + team.page.slice(1) + "#" + team.token);
  }
  const isCurrent = operator ? isOperator : team && here() === team.page;
  if (isCurrent) mine.setAttribute("aria-current", "page");
  else if (team || operator) mine.removeAttribute("aria-current");
}

/** Makes the links in an element lead to the server. The operator's to teams have the operator's token. */
function relink(element) {
  for (const a of element.querySelectorAll('a[href^="/"]')) {
    const path = a.getAttribute("href").slice(1);
    a.setAttribute("href", root + path + (isOperator && token() && /^team\/\d+$/.test(path) ? "#" + token() : ""));
  }
}
relink(document);
showWays();

/** Parses HTML with links that lead to the server. */
function parse(html) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  relink(parsed.content);
  return parsed.content;
}

export const show = (element, html) => element.replaceChildren(parse(html));

/** What is left as the reader has it. */
const keptAttributes = ["open", "hidden"];

/** Changes the children of an element to those of another one. What is the same stays, with its focus and what was typed. */
function morph(from, to) {
  const find = (next) => next.id && [...from.children].find((e) => e.id === next.id);
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const same = find(next) || (at?.nodeName === next.nodeName && !at.id && !next.id ? at : undefined);
    if (!same) {
      from.insertBefore(next, at);
      continue;
    }
    if (same !== at) from.insertBefore(same, at);
    at = same.nextSibling;
    if (same.nodeType !== Node.ELEMENT_NODE) {
      if (same.nodeValue !== next.nodeValue) same.nodeValue = next.nodeValue;
      continue;
    }
    if (same.dataset.until !== undefined && next.dataset.until !== undefined) next.textContent = same.textContent;
    for (const { name } of [...same.attributes]) {
      if (!next.hasAttribute(name) && !keptAttributes.includes(name)) same.removeAttribute(name);
    }
    for (const { name, value } of [...next.attributes]) {
      if (same.getAttribute(name) !== value && !keptAttributes.includes(name)) same.setAttribute(name, value);
    }
    morph(same, next);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

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

/** What else is asked for again and again. */
const others = [];

/** Calls a function whenever the page has asked for what has changed. */
export const onRefresh = (f) => others.push(f);

/** Asks for the parts that change, once. */
export async function refreshNow() {
  const options = isOperator && token() ? { headers: { Authorization: "Bearer " + token() } } : {};
  const answer = await fetch(location.pathname + "?part=live", options);
  if (answer.ok) {
    for (const part of parse(await answer.text()).querySelectorAll("[data-live]")) {
      const place = document.querySelector(`[data-live="${part.dataset.live}"]`);
      if (place) morph(place, part);
    }
    fetched = Date.now();
  }
  await Promise.all(others.map((f) => f()));
  countDown();
}

async function refresh() {
  try {
    await refreshNow();
  } catch { /* the server is away; the next attempt may reach it */ }
  setTimeout(refresh, refreshEvery);
}
countDown();
setInterval(countDown, second);
setTimeout(refresh, isOperator ? 0 : refreshEvery);

/** Requests what needs the token; throws the server's error. */
export async function request(path, options = {}) {
  const headers = { Authorization: "Bearer " + token() };
  if (typeof options.body === "string") headers["Content-Type"] = "application/json";
  const response = await fetch(root + path.slice(1), { ...options, headers });
  if (!response.ok) throw new Error((await response.json()).error);
  return response;
}

export const send = (path, values) => request(path, { method: "POST", body: JSON.stringify(values) });

/** Has the browser save a response as a file. */
export async function save(response, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10 * second);
}

export function say(where, text) {
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
    const { name, code, publish, ai } = join.elements;
    const values = { name: name.value, code: code.value, publish: publish?.checked, ai: ai?.value };
    const team = await (await send("/join", values)).json();
    localStorage.setItem("event.team", JSON.stringify({ name: team.name, page: team.page, token: team.token }));
    location.href = root + team.page.slice(1) + "#" + team.token;
  } catch (error) {
    say(alert, error.message);
  }
});
const before = document.getElementById("before");
if (before && kept()) {
  before.querySelector("a").textContent = kept().name;
  before.querySelector("a").href = root + kept().page.slice(1) + "#" + kept().token;
  before.hidden = false;
}
