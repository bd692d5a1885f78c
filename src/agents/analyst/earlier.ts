// Keeps earlier versions of a blueprint, so that changes can be undone.

import type { Blueprint } from "../../protocol/blueprint.ts";

/** Maximum number of changes that can be undone, and maximum characters of JSON of all stored versions. */
const MOST_STEPS = 8;
const MOST_CHARS = 200_000;

/** Returns the versions with `blueprint` appended, oldest first. Drops the oldest versions beyond the limits. */
export function remembered(earlier: readonly Blueprint[], blueprint: Blueprint): Blueprint[] {
  const kept: Blueprint[] = [];
  let room = MOST_CHARS;
  for (const one of [...earlier, blueprint].slice(-MOST_STEPS).toReversed()) {
    room -= JSON.stringify(one).length;
    if (room < 0) break;
    kept.unshift(one);
  }
  return kept;
}
