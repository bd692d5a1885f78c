import { expect, test } from "vitest";
import { SIMPLE_FORM } from "../../../src/protocol/words/traditional.ts";
import { fold } from "../../../src/protocol/words/text.ts";
import { CORPUS } from "./corpus.ts";
import { read } from "./corpus-reading.ts";

const TRADITIONAL = new Map([...SIMPLE_FORM].map(([traditional, simple]) => [simple, traditional]));

function traditional(text: string): string {
  return [...text].map((char) => TRADITIONAL.get(char) ?? char).join("");
}

const PHRASES = CORPUS.map(([phrase]) => [traditional(phrase), phrase] as const).filter(
  ([one, other]) => one !== other,
);

test.each(PHRASES)("%j is read like its simplified form", (phrase, simple) => {
  expect(JSON.parse(fold(JSON.stringify(read(phrase))))).toEqual(JSON.parse(fold(JSON.stringify(read(simple)))));
});
