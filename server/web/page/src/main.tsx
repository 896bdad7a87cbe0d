// Starts the page.

import { render } from "preact";
import { PageSession } from "./core/pagesession.ts";
import { ensureStorage } from "./core/storage.ts";
import { App } from "./ui/app.tsx";
import { listenToKeys } from "./ui/keys.ts";
import "./ui/styles/basics.css";
import "./ui/styles/server.css";
import "./ui/styles/base.css";
import "./ui/styles/phone.css";
import "./ui/styles/projector.css";
import "./ui/styles/framed.css";
import { GAMES } from "./games/registry.ts";

ensureStorage();
const board = document.createElement("div");
board.className = "board";
board.setAttribute("role", "img");
board.tabIndex = 0;

const session = new PageSession(GAMES, board);
listenToKeys(session);
render(<App session={session} />, document.getElementById("page")!);
session.begin();
