import { expect, test } from "vitest";
import { SIMPLIFIED_FORM } from "../../src/language/traditional-chinese.ts";
import { normalizeCharacters } from "../../src/language/text-spans.ts";
import { CORPUS } from "./corpus.ts";
import { readPhrase } from "./read-phrase.ts";

const TO_TRADITIONAL = new Map([...SIMPLIFIED_FORM].map(([traditional, simple]) => [simple, traditional]));

function toTraditional(text: string): string {
  return [...text].map((char) => TO_TRADITIONAL.get(char) ?? char).join("");
}

const PHRASES = CORPUS.map(([phrase]) => [toTraditional(phrase), phrase] as const).filter(
  ([traditional, simplified]) => traditional !== simplified,
);

test.each(PHRASES)("%j is read like its simplified form", (phrase, simple) => {
  expect(JSON.parse(normalizeCharacters(JSON.stringify(readPhrase(phrase))))).toEqual(
    JSON.parse(normalizeCharacters(JSON.stringify(readPhrase(simple)))),
  );
});
