// References into what a page is made from: `$data.grades.scores.0` and nothing else, no expressions. What is not
// there is null; a text with any other beginning stays a text.

const ROOTS = ["context", "input", "data", "compute"] as const;
export type Root = (typeof ROOTS)[number];
export type Roots = Readonly<Record<Root, unknown>>;
export type Reference = { readonly root: Root; readonly path: readonly string[] };

const REFERENCE = /^\$(context|input|data|compute)\.(.+)$/s;
const INLINE = /\$(?:context|input|data|compute)(?:\.[\p{L}\p{N}_-]+)+/gu;
/** Never read, not even where JSON has such a member: they mean something else to the language. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** A text that is a reference as a whole; null for any other. */
export function readReference(text: string): Reference | null {
  const match = REFERENCE.exec(text.trim());
  if (match === null) return null;
  return { root: match[1] as Root, path: (match[2] ?? "").split(".") };
}

/** The value with every text that is a reference replaced by what it refers to, however deep it stands. */
export function resolve(value: unknown, roots: Roots): unknown {
  if (typeof value === "string") {
    const reference = readReference(value);
    return reference === null ? value : lookUp(reference, roots);
  }
  if (Array.isArray(value)) return value.map((member) => resolve(member, roots));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, roots)]));
}

/** The same for a record, as arguments and properties are. */
export function resolveAll(values: Readonly<Record<string, unknown>>, roots: Roots): Record<string, unknown> {
  return resolve(values, roots) as Record<string, unknown>;
}

export function lookUp({ root, path }: Reference, roots: Roots): unknown {
  return follow(roots[root], path) ?? null;
}

function follow(at: unknown, path: readonly string[]): unknown {
  const [step] = path;
  if (step === undefined) return at;
  if (Array.isArray(at)) return /^\d{1,9}$/.test(step) ? follow((at as unknown[])[Number(step)], path.slice(1)) : null;
  if (typeof at !== "object" || at === null) return null;
  // Columns are called as people like, with dots as well: the shortest name that leads somewhere is meant.
  for (let end = 1; end <= path.length; end++) {
    const name = path.slice(0, end).join(".");
    if (FORBIDDEN.has(name) || !Object.hasOwn(at, name)) continue;
    const value = follow((at as Record<string, unknown>)[name], path.slice(end)) ?? null;
    if (value !== null) return value;
  }
  return null;
}

/** Every reference in a value, with the place where it stands below `place`. */
export function referencesIn(
  value: unknown,
  place: string,
): { readonly reference: Reference; readonly place: string }[] {
  if (typeof value === "string") {
    const reference = readReference(value);
    return reference === null ? [] : [{ reference, place }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => referencesIn(member, `${place}.${name}`));
}

/** References that stand within words, as in a prompt. */
export function referencesWithin(text: string): Reference[] {
  const found = [...new Set([...text.matchAll(INLINE)].map(([reference]) => reference))];
  return found.map(readReference).filter((reference) => reference !== null);
}

export function textOf({ root, path }: Reference): string {
  return `$${root}.${path.join(".")}`;
}
