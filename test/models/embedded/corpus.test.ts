import { describe, expect, test } from "vitest";
import { languageOf } from "../../../src/protocol/words/language.ts";
import { CORPUS } from "./corpus.ts";
import { read } from "./corpus-reading.ts";

describe("the corpus", () => {
  test("has at least 150 different phrasings, a third of them in each language", () => {
    const phrases = new Set(CORPUS.map(([phrase]) => phrase));
    expect(phrases.size).toBe(CORPUS.length);
    expect(phrases.size).toBeGreaterThanOrEqual(150);
    for (const language of ["zh", "en"] as const) {
      expect([...phrases].filter((phrase) => languageOf(phrase) === language).length).toBeGreaterThan(phrases.size / 3);
    }
  });

  test.each(CORPUS)("%j is read as expected", (phrase, expected) => {
    const reading = read(phrase);
    const judged = Object.fromEntries(Object.entries(reading).filter(([field]) => field in expected));
    expect(judged).toEqual(expected);
  });
});
