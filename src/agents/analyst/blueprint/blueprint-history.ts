// Keeps earlier versions of a blueprint, so that changes can be undone.

import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";

/** Maximum number of changes that can be undone, and maximum characters of JSON of all stored versions. */
const MAX_VERSIONS = 8;
const MAX_HISTORY_CHARS = 200_000;

/**
 * Returns the versions with `blueprint` appended, oldest first. Drops the oldest versions beyond the limits; the result
 * is empty if `blueprint` alone is too long.
 */
export function appendVersion(earlier: readonly Blueprint[], blueprint: Blueprint): Blueprint[] {
  const versions: Blueprint[] = [];
  let remainingChars = MAX_HISTORY_CHARS;
  for (const version of [...earlier, blueprint].slice(-MAX_VERSIONS).toReversed()) {
    remainingChars -= JSON.stringify(version).length;
    if (remainingChars < 0) break;
    versions.unshift(version);
  }
  return versions;
}
