// Starts the page.

import { render } from "preact";
import { App } from "./app.tsx";
import { listenToKeys } from "./keys.ts";
import { Session } from "./session.ts";
import "./house.css";
import "./style.css";
import "./phone.css";
import "./projector.css";
import "./hextictactoe/style.css";

const board = document.createElement("div");
board.className = "board";
board.setAttribute("role", "img");
board.tabIndex = 0;

const session = new Session(board);
listenToKeys(session);
render(<App session={session} />, document.getElementById("page")!);
session.begin();
