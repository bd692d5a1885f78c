// The situation of one piece of work.

import type { EarlierResult } from "./work/earlier-results.ts";

export { collectResultNumbers, type EarlierResult } from "./work/earlier-results.ts";

export type WorkContext = {
  /** The piece of work. */
  readonly text: string;
  /** Earlier results that the text may refer to, oldest first. */
  readonly results: readonly EarlierResult[];
  readonly now: number;
  readonly timezone: string | undefined;
};
