import { selectAgent, parseCards } from "../../src/embedded/agent-selection.ts";
import { readArithmetic } from "../../src/embedded/read-arithmetic.ts";
import { findDates } from "../../src/embedded/spoken-dates.ts";
import { detectLanguage } from "../../src/language/detect-language.ts";
import { findTextPayload } from "../../src/embedded/text-payload.ts";
import { findPlaces } from "../../src/language/place-time-zones.ts";
import { parseDrawCount, parseNumberRange } from "../../src/embedded/random-ranges.ts";
import { parsePieces } from "../../src/embedded/request-pieces.ts";
import { parseRequestTiming } from "../../src/embedded/request-timing.ts";
import { detectSmallTalk } from "../../src/embedded/small-talk.ts";
import { normalizeCharacters } from "../../src/language/text-spans.ts";
import { findRequestedIdeas } from "../../src/embedded/idea-matching.ts";
import { CARDS } from "./test-cards.ts";
import type { PhraseReading } from "./corpus-row.ts";

const cards = parseCards(CARDS);
const TODAY = "2026-11-21";

/** Returns everything that the modules read from a phrase, in the terms of the corpus. */
export function readPhrase(phrase: string): Required<PhraseReading> {
  const range = parseNumberRange(phrase);
  const timing = parseRequestTiming(phrase);
  const pieces = parsePieces(phrase);
  return {
    language: detectLanguage(phrase),
    talk: detectSmallTalk(phrase),
    pieces: pieces.map(({ text, after }) => (after.length === 0 ? [text] : [text, after])),
    sums: findRequestedIdeas(phrase).has("random")
      ? []
      : readArithmetic(normalizeCharacters(phrase)).map(({ template }) => template),
    zones: [...new Set(findPlaces(phrase).map(({ zone }) => zone))],
    range: range === null ? [Number.NaN, Number.NaN] : [range.min, range.max],
    count: parseDrawCount(phrase),
    payload: findTextPayload(phrase),
    schedule: timing === null ? null : [timing.when.kind === "config" ? timing.when.config : null, timing.rest],
    agents: pieces.map(({ text }) => selectAgent(text, cards)?.name ?? null),
    dates: findDates(phrase, TODAY),
  };
}
