// The operator's page.

import { onRefresh, refreshNow, request, save, say, second, send, token } from "./event.js";

const ask = document.getElementById("token");
const said = document.getElementById("said");
ask.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = ask.elements.token.value.trim();
  location.reload();
});
ask.hidden = token() !== "";
document.getElementById("log").hidden = token() === "";

async function act(name, values, title) {
  try {
    const { note } = await (await send("/admin/" + name, values)).json();
    say(said, "Done: " + title + (note ? "; " + note : ""));
    await refreshNow();
  } catch (error) {
    say(said, error.message);
  }
}

/** The fields of forms that are numbers. */
const numbers = ["team", "match", "turns", "milliseconds", "minutes", "teams", "best", "back"];

/** Returns what the form of a button sends: its fields, and the button's own values. */
function valuesOf(button) {
  const values = {};
  for (const { name, value } of button.closest("form")?.elements ?? []) if (name) values[name] = value;
  Object.assign(values, button.dataset);
  delete values.act;
  delete values.of;
  for (const name of numbers) if (name in values) values[name] = Number(values[name]);
  return values;
}

const page = document.getElementById("admin");
document.addEventListener("submit", (event) => event.preventDefault());
page.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { act: name, of, save: file, slip } = button.dataset;
  const title = button.textContent + (of ? ": " + of : "");
  if (name) void act(name, valuesOf(button), title);
  else if (file) void saveFile(file);
  else if (slip !== undefined) void print(Number(slip));
  else if (button.id === "slips") void print();
});

// The search, which also holds after the rows have changed.

function find() {
  const text = document.getElementById("find")?.value.trim().toLowerCase() ?? "";
  for (const row of page.querySelectorAll(".teams tbody tr")) row.hidden = !row.cells[1].textContent.toLowerCase().includes(text);
}
page.addEventListener("input", (event) => event.target.id === "find" && find());

/** Lists the last acts, each with a button that takes it back. */
async function showActs() {
  if (!token()) return;
  const list = document.getElementById("acts");
  const { acts } = await (await request("/admin/acts")).json();
  const key = JSON.stringify(acts);
  if (list.dataset.key === key) return; // a button that has the focus stays
  list.dataset.key = key;
  const today = new Date().toDateString();
  list.replaceChildren(...(acts ?? []).map(({ at, text, undo, form }) => {
    const row = document.createElement("li"), when = new Date(at * second);
    row.append((when.toDateString() === today ? when.toLocaleTimeString() : when.toLocaleString()) + " " + text + " ");
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

async function saveFile(name) {
  try {
    await save(await request("/admin/" + name), name);
  } catch (error) {
    say(said, error.message);
  }
}

/** Returns a slip as it is printed, with the address of the page as a QR code. */
async function paperOf(slip) {
  const one = document.createElement("section"), code = new Image(132, 132);
  code.src = URL.createObjectURL(await (await request("/admin/slips/" + slip.Team)).blob());
  code.alt = "QR code of the page";
  await code.decode();
  one.append(code);
  for (const [tag, text] of [["h2", slip.Name], ["p", "Your page: " + slip.Page], ["p", "Your token: " + slip.Token]]) {
    one.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
  return one;
}

/** Prints the slip of a team, or of all teams. */
async function print(team) {
  const paper = document.getElementById("paper");
  try {
    const { slips } = await (await request("/admin/slips")).json();
    const wanted = (slips ?? []).filter((slip) => team === undefined || slip.Team === team);
    const sheets = []; // one after another: a connection that the browser opens in advance may be taken for a bot's
    for (const slip of wanted) sheets.push(await paperOf(slip));
    paper.replaceChildren(...sheets);
    paper.hidden = false;
    window.print();
  } catch (error) {
    say(said, error.message);
  }
}

onRefresh(find);
onRefresh(showActs);
