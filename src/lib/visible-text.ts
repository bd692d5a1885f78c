// Text that people see, without characters that hide or rearrange what it says: names are one line, descriptions may have
// several. Both functions return their own results unchanged.

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
  return text.replace(/\s+/gu, " ").replace(INVISIBLE, "").replace(/ {2,}/g, " ").trim().normalize("NFC");
}

/**
 * Returns a text as visible text: like `toVisibleLine`, but tabs, spaces and line ends stay. Every line end becomes a line
 * feed.
 */
export function toVisibleText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : ""))
    .trim()
    .normalize("NFC");
}
