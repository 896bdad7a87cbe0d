// Starts the screen of an event.

import { render } from "preact";
import { ScreenSession } from "./core/screensession.ts";
import { GAMES } from "./games/registry.ts";
import { ScreenApp } from "./ui/screen/app.tsx";
import "./ui/styles/basics.css";
import "./ui/styles/base.css";
import "./ui/styles/projector.css";
import "./ui/styles/screen.css";

const board = document.createElement("div");
board.className = "board";
board.setAttribute("role", "img");

const session = new ScreenSession(GAMES, board);
render(<ScreenApp session={session} />, document.getElementById("page")!);
session.begin();
