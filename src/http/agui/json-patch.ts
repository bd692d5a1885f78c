// Computes JSON Patch (RFC 6902) for the shared state.

/** An operation of a patch. `path` is a JSON Pointer (RFC 6901). */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/**
 * Returns the operations that turn `before` into `after`, both plain JSON; an empty list if they are equal. Lists of
 * different lengths are replaced completely. Undefined members count as absent.
 */
export function computeJsonPatch(before: unknown, after: unknown, path = ""): PatchOperation[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((value, i) => computeJsonPatch(before[i], value, `${path}/${i}`));
  }
  if (!isRecord(before) || !isRecord(after)) return [{ op: "replace", path, value: after }];
  const removedKeys = Object.keys(before).filter((key) => after[key] === undefined && before[key] !== undefined);
  const presentKeys = Object.keys(after).filter((key) => after[key] !== undefined);
  return [
    ...removedKeys.map((key) => ({ op: "remove" as const, path: `${path}/${escapePointerToken(key)}` })),
    ...presentKeys.flatMap((key): PatchOperation[] => {
      const at = `${path}/${escapePointerToken(key)}`;
      return before[key] === undefined
        ? [{ op: "add", path: at, value: after[key] }]
        : computeJsonPatch(before[key], after[key], at);
    }),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Escapes a key for a JSON Pointer (RFC 6901, section 3). */
function escapePointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
