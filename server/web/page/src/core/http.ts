// Requests to the server.

import { at, ROOT } from "./root.ts";

/** The number of requests to a busy server, and the longest wait between them in seconds. */
const ATTEMPTS = 5;
const LONGEST_RETRY = 30;

/** Fetches; if the server is busy, tries again after the time that it asks for. */
export async function fetchRetrying(address: string, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(address, { signal: signal ?? null });
    if (response.status !== 503 || attempt === ATTEMPTS) return response;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await new Promise((done) => setTimeout(done, 1000 * Math.min(seconds, LONGEST_RETRY)));
  }
}

/** Returns the address of a WebSocket of this server. */
export function socketAddress(path: string): URL {
  const address = new URL(at(path), location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address;
}

// sessionStorage keeps the operator's token while the tab is open.
const tokenKey = "operator";

/** Reports whether the viewer has given the operator's token. */
export function hasOperatorToken(): boolean {
  return Boolean(sessionStorage.getItem(tokenKey));
}

/** Posts a request with an optional JSON body. Asks the viewer for the operator's token if the server wants it. */
export async function post(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const send = () => {
    const token = sessionStorage.getItem(tokenKey);
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    return fetch(path, {
      method: "POST",
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  };
  const response = await send();
  return response.status === 401 && askToken() ? send() : response;
}

function askToken(): boolean {
  const token = prompt("Operator's token:")?.trim() ?? "";
  sessionStorage.setItem(tokenKey, token);
  return token !== "";
}

/** Has the server do something with a match that its operator may do; resolves to the problem, empty if there was none. */
export async function operate(
  match: string,
  what: "start" | "fill" | "again" | "restart",
): Promise<string> {
  try {
    const response = await post(`${ROOT}api/match/${what}?match=${encodeURIComponent(match)}`);
    return response.ok ? "" : await problemOf(response);
  } catch {
    return "The server does not answer.";
  }
}

/** Returns the error in a response as a sentence. */
export async function problemOf(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  return error ? sentence(error) : `The server answers with status ${response.status}.`;
}

/** Returns an error of the server, which starts with a small letter and has no full stop, as a sentence. */
export function sentence(error: string): string {
  return error[0].toUpperCase() + error.slice(1) + (/[.!?]$/.test(error) ? "" : ".");
}
