export function sourcesIn(folder: string): Map<string, string>;
export function problemsIn(sources: Map<string, string>): string[];
