// References to the values of a page, such as `$data.grades.scores.0`. There are no expressions. A reference to a
// missing value resolves to null; a text with any other beginning remains a text.

const ROOTS = ["context", "input", "data", "compute"] as const;
export type Root = (typeof ROOTS)[number];
export type Roots = Readonly<Record<Root, unknown>>;
export type Reference = { readonly root: Root; readonly path: readonly string[] };

const REFERENCE = /^\$(context|input|data|compute)\.(.+)$/s;
const INLINE = /\$(?:context|input|data|compute)(?:\.[\p{L}\p{N}_-]+)+/gu;
/** Member names that are never read, because they reach into the prototype. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** Parses a text that is a reference as a whole; null for any other text. */
export function readReference(text: string): Reference | null {
  const match = REFERENCE.exec(text.trim());
  if (match === null) return null;
  return { root: match[1] as Root, path: (match[2] ?? "").split(".") };
}

/** Returns the value with all references in it replaced by their values, at any depth. */
export function resolve(value: unknown, roots: Roots): unknown {
  if (typeof value === "string") {
    const reference = readReference(value);
    return reference === null ? value : lookUp(reference, roots);
  }
  if (Array.isArray(value)) return value.map((member) => resolve(member, roots));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, roots)]));
}

/** Resolves the references in a record, such as arguments or properties. */
export function resolveAll(values: Readonly<Record<string, unknown>>, roots: Roots): Record<string, unknown> {
  return resolve(values, roots) as Record<string, unknown>;
}

/** Returns the referenced value; null if it does not exist. */
export function lookUp({ root, path }: Reference, roots: Roots): unknown {
  return follow(roots[root], path) ?? null;
}

/** Follows the path through objects and lists. Reads own members only. */
function follow(at: unknown, path: readonly string[]): unknown {
  const [step] = path;
  if (step === undefined) return at;
  if (Array.isArray(at)) return /^\d{1,9}$/.test(step) ? follow((at as unknown[])[Number(step)], path.slice(1)) : null;
  if (typeof at !== "object" || at === null) return null;
  // Column names may contain dots. The shortest name that leads to a value is used.
  for (let end = 1; end <= path.length; end++) {
    const name = path.slice(0, end).join(".");
    if (FORBIDDEN.has(name) || !Object.hasOwn(at, name)) continue;
    const value = follow((at as Record<string, unknown>)[name], path.slice(end)) ?? null;
    if (value !== null) return value;
  }
  return null;
}

/** Returns every reference in a value with its path, which begins with `place`. */
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

/** Returns the distinct references within a longer text, such as a prompt. */
export function referencesWithin(text: string): Reference[] {
  const found = [...new Set([...text.matchAll(INLINE)].map(([reference]) => reference))];
  return found.map(readReference).filter((reference) => reference !== null);
}

/** Formats a reference as text, the inverse of `parseReference`. */
export function textOf({ root, path }: Reference): string {
  return `$${root}.${path.join(".")}`;
}
