// What a blueprint was before it was changed, so that changes can be taken back.

import type { Blueprint } from "../../protocol/blueprint.ts";

/** Changes that can be taken back, and characters of JSON of everything that is kept for it. */
const MOST_STEPS = 8;
const MOST_CHARS = 200_000;

/** With one more; the oldest go when there is no room. */
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
