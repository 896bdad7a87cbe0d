// The team of an event that this browser plays for, as the pages of the event keep it.

import { problemOf } from "./http.ts";
import { at } from "./root.ts";

/** Returns the address of the page of this browser's team, that of the operator's page, or of the one to join. */
export function ownPage(): { name: string; href: string } {
  const operator = sessionStorage.getItem("operator");
  if (operator) return { name: "Operator", href: at(`/admin#${operator}`) };
  const team = JSON.parse(localStorage.getItem("event.team") ?? "null") as {
    page: string;
    token: string;
  } | null;
  return team
    ? { name: "My team", href: at(`${team.page}#${team.token}`) }
    : { name: "Join", href: at("/join") };
}

/** Sends the code of a bot as a version of the team with a token. Resolves to the problem, empty if there was none. */
export async function sendVersion(code: string, token: string): Promise<string> {
  try {
    const response = await fetch(at("/event/versions?name=my_bot.js"), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: code,
    });
    return response.ok ? "" : await problemOf(response);
  } catch {
    return "The server does not answer.";
  }
}
