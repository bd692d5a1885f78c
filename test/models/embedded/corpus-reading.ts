import { agentFor, cardsFrom } from "../../../src/models/embedded/agents.ts";
import { readArithmetic } from "../../../src/models/embedded/arithmetic.ts";
import { datesIn } from "../../../src/models/embedded/dates.ts";
import { languageOf } from "../../../src/protocol/words/language.ts";
import { readPayload } from "../../../src/models/embedded/payload.ts";
import { placesIn } from "../../../src/protocol/words/places.ts";
import { readCount, readRange } from "../../../src/models/embedded/ranges.ts";
import { readPieces } from "../../../src/models/embedded/request.ts";
import { timingOf } from "../../../src/models/embedded/schedule.ts";
import { readTalk } from "../../../src/models/embedded/small-talk.ts";
import { fold } from "../../../src/protocol/words/text.ts";
import { ideasWanted } from "../../../src/models/embedded/matching.ts";
import { CARDS } from "./cards.ts";
import type { Reading } from "./corpus-row.ts";

const cards = cardsFrom(CARDS);
const TODAY = "2026-11-21";

/** Everything that the modules read out of a phrase, in the corpus's terms. */
export function read(phrase: string): Required<Reading> {
  const range = readRange(phrase);
  const timing = timingOf(phrase);
  const pieces = readPieces(phrase);
  return {
    language: languageOf(phrase),
    talk: readTalk(phrase),
    pieces: pieces.map(({ text, after }) => (after.length === 0 ? [text] : [text, after])),
    sums: ideasWanted(phrase).has("random") ? [] : readArithmetic(fold(phrase)).map(({ template }) => template),
    zones: [...new Set(placesIn(phrase).map(({ zone }) => zone))],
    range: range === null ? [Number.NaN, Number.NaN] : [range.min, range.max],
    count: readCount(phrase),
    payload: readPayload(phrase),
    schedule: timing === null ? null : [timing.when.kind === "config" ? timing.when.config : null, timing.rest],
    agents: pieces.map(({ text }) => agentFor(text, cards)?.name ?? null),
    dates: datesIn(phrase, TODAY),
  };
}
