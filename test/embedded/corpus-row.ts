import type { SmallTalkKind } from "../../src/embedded/small-talk.ts";
import type { ScheduleConfig } from "../../src/protocol/schedules/schedule-config.ts";
import type { Language } from "../../src/language/detect-language.ts";

/** The work of one piece, and the positions of the pieces that it waits for. */
type PieceReading = readonly [text: string, after?: readonly number[]];

export type PhraseReading = {
  readonly language?: Language;
  readonly talk?: SmallTalkKind | null;
  readonly pieces?: readonly PieceReading[];
  /** Arithmetic as templates: `$last` and `$all(+)` are earlier results. */
  readonly sums?: readonly string[];
  readonly zones?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  readonly count?: number;
  readonly payload?: string | null;
  /** The schedule and the work for one run; null when the text is for a single time. */
  readonly schedule?: readonly [config: ScheduleConfig | null, rest: string] | null;
  /** Agents of the test's cards, one for each piece; null where none fits. */
  readonly agents?: readonly (string | null)[];
  readonly dates?: readonly string[];
};

export type CorpusRow = readonly [phrase: string, reading: PhraseReading];
