// Splits a request into pieces of work.

import { getFamily, findAskedIdeas } from "./idea-glossary.ts";

export { parsePieces } from "./request/split-request.ts";

/** `multiply the random number by 2` refers to the piece about random numbers, wherever it is. */
export function findReferencedPiece(pieces: readonly { readonly text: string }[], text: string): number | null {
  const noun =
    /(?:the|that|this) (random number|time|date|word count)\b|(?:把|将|这个|那个|该)(随机数|时间|日期|字数)/i.exec(
      text,
    );
  const families = [...findAskedIdeas(noun?.[1] ?? noun?.[2] ?? "")].map(getFamily);
  const found = pieces.findLastIndex((piece) =>
    [...findAskedIdeas(piece.text)].some((idea) => families.includes(getFamily(idea))),
  );
  return noun === null || found < 0 ? null : found;
}
