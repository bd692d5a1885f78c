import { expect, test } from "vitest";
import { SIMPLIFIED_FORM } from "../../../src/protocol/language/traditional-chinese.ts";
import { normalizeCharacters } from "../../../src/protocol/language/text-spans.ts";
import { CORPUS } from "./corpus.ts";
import { read } from "./corpus-reading.ts";

const TRADITIONAL = new Map([...SIMPLIFIED_FORM].map(([traditional, simple]) => [simple, traditional]));

function traditional(text: string): string {
  return [...text].map((char) => TRADITIONAL.get(char) ?? char).join("");
}

const PHRASES = CORPUS.map(([phrase]) => [traditional(phrase), phrase] as const).filter(
  ([one, other]) => one !== other,
);

test.each(PHRASES)("%j is read like its simplified form", (phrase, simple) => {
  expect(JSON.parse(normalizeCharacters(JSON.stringify(read(phrase))))).toEqual(
    JSON.parse(normalizeCharacters(JSON.stringify(read(simple)))),
  );
});
