// Starts the page of a cup.

import { render } from "preact";
import { CupSession } from "./core/cupsession.ts";
import { CupApp } from "./ui/cup/app.tsx";
import "./ui/styles/basics.css";
import "./ui/styles/cup.css";

const session = new CupSession();
render(<CupApp session={session} />, document.getElementById("page")!);
session.begin();
