import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectLanguage } from "../../../src/protocol/language/detect-language.ts";
import { CORPUS } from "./corpus.ts";
import { read } from "./corpus-reading.ts";
import { parsePieces } from "../../../src/models/embedded/request-pieces.ts";

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

  test.each(CORPUS)("%j is read as expected", (phrase, expected) => {
    const reading = read(phrase);
    const judged = Object.fromEntries(Object.entries(reading).filter(([field]) => field in expected));
    expect(judged).toEqual(expected);
  });
});

test("a piece waits for earlier ones alone, whatever of a request turns out to be no work", () => {
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
      for (const [i, { after }] of pieces.entries()) for (const needed of after) expect(needed).toBeLessThan(i);
    }),
    { numRuns: 1_000 },
  );
});
