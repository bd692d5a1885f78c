// References to the values of a page, such as `$data.grades.scores.0`. There are no expressions. A reference to a
// missing value resolves to null; a text with any other beginning remains a text.

const REFERENCE_ROOTS = ["context", "input", "data", "compute"] as const;
/** The kind of value that a reference begins with: `$context`, `$input`, `$data` or `$compute`. */
export type ReferenceRoot = (typeof REFERENCE_ROOTS)[number];
/** The values that references read, by root. */
export type ReferenceValues = Readonly<Record<ReferenceRoot, unknown>>;
/** A parsed reference. `path` has at least one name. */
export type ValueReference = { readonly root: ReferenceRoot; readonly path: readonly string[] };

const REFERENCE_PATTERN = /^\$(context|input|data|compute)\.(.+)$/s;
const INLINE_REFERENCE_PATTERN = /\$(?:context|input|data|compute)(?:\.[\p{L}\p{N}_-]+)+/gu;
/** Member names that are never read, because they reach into the prototype. */
const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Parses a text that is a reference as a whole; null for any other text. */
export function parseReference(text: string): ValueReference | null {
  const match = REFERENCE_PATTERN.exec(text.trim());
  if (match === null) return null;
  return { root: match[1] as ReferenceRoot, path: (match[2] ?? "").split(".") };
}

/**
 * Returns the value with every text that is a reference as a whole replaced by its value, at any depth. A missing value
 * becomes null.
 */
export function resolveReferences(value: unknown, values: ReferenceValues): unknown {
  if (typeof value === "string") {
    const reference = parseReference(value);
    return reference === null ? value : getReferencedValue(reference, values);
  }
  if (Array.isArray(value)) return value.map((member) => resolveReferences(member, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveReferences(member, values)]));
}

/** Returns a record, such as arguments or properties, with its references resolved as by `resolveReferences`. */
export function resolveRecord(
  values: Readonly<Record<string, unknown>>,
  roots: ReferenceValues,
): Record<string, unknown> {
  return resolveReferences(values, roots) as Record<string, unknown>;
}

/** Returns the referenced value; null if it does not exist. */
export function getReferencedValue({ root, path }: ValueReference, values: ReferenceValues): unknown {
  return followPath(values[root], path) ?? null;
}

/** Follows the path through objects and lists. Reads own members only. */
function followPath(at: unknown, path: readonly string[]): unknown {
  const [step] = path;
  if (step === undefined) return at;
  if (Array.isArray(at))
    return /^\d{1,9}$/.test(step) ? followPath((at as unknown[])[Number(step)], path.slice(1)) : null;
  if (typeof at !== "object" || at === null) return null;
  // Column names may contain dots. The shortest name that leads to a value is used.
  for (let end = 1; end <= path.length; end++) {
    const name = path.slice(0, end).join(".");
    if (FORBIDDEN_NAMES.has(name) || !Object.hasOwn(at, name)) continue;
    const value = followPath((at as Record<string, unknown>)[name], path.slice(end)) ?? null;
    if (value !== null) return value;
  }
  return null;
}

/**
 * Returns every text in a value, at any depth, that is a reference as a whole, with its path, which begins with
 * `place`.
 */
export function findReferences(
  value: unknown,
  place: string,
): { readonly reference: ValueReference; readonly place: string }[] {
  if (typeof value === "string") {
    const reference = parseReference(value);
    return reference === null ? [] : [{ reference, place }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => findReferences(member, `${place}.${name}`));
}

/** Returns the distinct references within a longer text, such as a prompt. */
export function findInlineReferences(text: string): ValueReference[] {
  const matches = [...new Set([...text.matchAll(INLINE_REFERENCE_PATTERN)].map(([reference]) => reference))];
  return matches.map(parseReference).filter((reference) => reference !== null);
}

/** Formats a reference as text, the inverse of `parseReference`. */
export function formatReference({ root, path }: ValueReference): string {
  return `$${root}.${path.join(".")}`;
}
