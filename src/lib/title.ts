// The titles and names that users choose: one visible line.

import * as z from "zod";

/**
 * Characters that have no shape of their own: controls, bidirectional controls, zero-width characters, unassigned ones.
 * Joiners and variation selectors stay where they belong: after an emoji, a mark or a letter of a script that uses them.
 */
const INVISIBLE =
  /(?!(?<=[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\uFE0F])(?:\u200D|\uFE0E|\uFE0F))(?!(?<=[\p{M}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}])[\u200C\u200D])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns a text as one visible line: line ends and runs of white space become one space, invisible characters are
 * removed, and composed characters have one form (NFC).
 */
export function toVisibleLine(text: string): string {
  return text.replace(/\s+/gu, " ").replace(INVISIBLE, "").trim().normalize("NFC");
}

/** A title of 1 to 200 characters, as `toVisibleLine` returns it. */
export const titleSchema = z.string().overwrite(toVisibleLine).min(1).max(200);
