// The token that identifies a bot, or a person, of this page to servers that want one. It is kept while the tab is open.

const KEY = "bot.token";

export function botToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

export function keepBotToken(token: string): void {
  sessionStorage.setItem(KEY, token.trim());
}
