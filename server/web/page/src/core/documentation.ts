// What the JavaScript kit declares: the types of states and actions, and its helpers, with their documentation.

/** A field or a method of a type, or a helper. */
export interface Documented {
  name: string;
  /** Its type, or that of what it returns, as TypeScript writes it. */
  type: string;
  /** Of a function. */
  parameters?: string;
  optional?: boolean;
  about: string;
}

export interface Documentation {
  /** alias: what the type is another name for. */
  types: Record<string, { about: string; fields?: Documented[]; alias?: string }>;
  helpers: Documented[];
}

/** The names of the types of a game's states and actions. */
export interface BotTypes {
  state: string;
  action: string;
}

/** Answers questions about the types that a bot of one game meets. */
export class Glossary {
  constructor(
    private readonly all: Documentation,
    readonly bot: BotTypes,
  ) {}

  get helpers(): readonly Documented[] {
    return this.all.helpers;
  }

  /** Returns the type without what its values may also be, and with the game's types instead of S and A. */
  plain(type: string): string {
    const bare = type.replace(/^readonly /, "").replace(/ \| (null|undefined)$/, "");
    if (bare === "S") return this.bot.state;
    return bare === "A" ? this.bot.action : bare;
  }

  /** Returns the fields of a type; of one that has several forms, those of all. */
  fields(type: string): Documented[] {
    const plain = this.plain(type).replace(/<.*>$/, "");
    const { fields, alias } = this.all.types[plain] ?? {};
    if (fields) return fields;
    const forms = (alias ?? plain).split(" | ");
    if (forms.length < 2) return [];
    const found = new Map(forms.flatMap((form) => this.fields(form)).map((f) => [f.name, f]));
    return [...found.values()];
  }

  field(type: string, name: string): Documented | undefined {
    return this.fields(type).find((f) => f.name === name);
  }

  /** Returns the type of the elements of a list, or of the values of a record; empty: it is neither. */
  element(type: string): string {
    const plain = this.plain(type);
    return /^(.+)\[\]$/.exec(plain)?.[1] ?? /^Record<\w+, (.+)>$/.exec(plain)?.[1] ?? "";
  }

  /** Returns what a text may be: the values of a type such as "a" | "b", or of a field's. */
  texts(): { text: string; about: string }[] {
    const found = new Map<string, string>();
    for (const name of this.reachable()) {
      const { alias = "", fields = [], about } = this.all.types[name];
      for (const [, text] of alias.matchAll(/"([^"]+)"/g)) found.set(text, about);
      for (const field of fields) {
        for (const [, text] of field.type.matchAll(/"([^"]+)"/g))
          found.set(text, field.about || about);
      }
    }
    return [...found].map(([text, about]) => ({ text, about }));
  }

  /** Returns the names of the types of the game that states, actions and matches consist of. */
  reachable(): string[] {
    const found = new Set<string>();
    const visit = (text: string) => {
      for (const [name] of text.matchAll(/\w+/g)) {
        const type = this.all.types[name];
        if (!type || found.has(name)) continue;
        found.add(name);
        visit(type.alias ?? type.fields!.map((f) => f.type).join());
      }
    };
    visit([this.bot.state, this.bot.action, "Match"].join());
    found.delete("Match");
    return [...found, "Match"];
  }
}
