import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectLanguage } from "../../src/language/detect-language.ts";
import { CORPUS } from "./corpus.ts";
import { readPhrase } from "./read-phrase.ts";
import { parsePieces } from "../../src/embedded/request-pieces.ts";

describe("the corpus", () => {
  test("has at least 150 different phrasings, a third of them in each language", () => {
    const phrases = new Set(CORPUS.map(([phrase]) => phrase));
    expect(phrases.size).toBe(CORPUS.length);
    expect(phrases.size).toBeGreaterThanOrEqual(150);
    for (const language of ["zh", "en"] as const) {
      expect([...phrases].filter((phrase) => detectLanguage(phrase) === language).length).toBeGreaterThan(
        phrases.size / 3,
      );
    }
  });

  test.each(CORPUS)("is read as expected: %j", (phrase, expected) => {
    const reading = readPhrase(phrase);
    const comparable = Object.fromEntries(Object.entries(reading).filter(([field]) => field in expected));
    expect(comparable).toEqual(expected);
  });
});

test("parsePieces makes a piece depend only on earlier ones for any text", () => {
  const word = fc.constantFrom(
    "每天",
    "每周一9点",
    "then",
    "and",
    "先",
    "然后",
    "roll a die",
    "it",
    "foo",
    ",",
    "。",
    "(",
    "at 9",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), (words) => {
      const pieces = parsePieces(words.join(" "));
      for (const [i, { after }] of pieces.entries()) for (const dependency of after) expect(dependency).toBeLessThan(i);
    }),
    { numRuns: 1_000 },
  );
});
