// The shape of messages: their members and kinds of values. Values differ between runs.

/** Lists the paths of all members of these values with the kinds of their values. */
export function describeShape(values: readonly unknown[]): Record<string, string> {
  const kinds = new Map<string, Set<string>>();
  const visit = (value: unknown, path: string): void => {
    kinds.set(path, (kinds.get(path) ?? new Set()).add(nameKind(value)));
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, path === "" ? name : `${path} ${name}`);
  };
  for (const value of values) visit(value, "");
  kinds.delete("");
  const lines = [...kinds].map(([path, all]) => [path, [...all].toSorted().join(" | ")] as const);
  return Object.fromEntries(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Describes values of several kinds, grouped by kind. */
export function describeShapes<T>(values: readonly T[], getKind: (value: T) => string): Record<string, unknown> {
  const groups = [...Map.groupBy(values, getKind)].map(([kind, group]) => [kind, describeShape(group)] as const);
  return Object.fromEntries(groups.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function nameKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** Parses the JSON in the `data:` lines of an event stream. */
export function readData(stream: string): unknown[] {
  const lines = stream.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)) as unknown);
}
