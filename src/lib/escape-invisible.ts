// Escaping of invisible characters, so that untrusted text cannot hide content from people who review it.

/** Control characters, bidirectional controls, zero-width characters, line separators, and unassigned characters. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** The same without tabs, line ends, and the joiners and variation selectors of emoji. */
const INVISIBLE_EXCEPT_LAYOUT =
  /(?!\u200D|\uFE0E|\uFE0F|\t|\n|\r)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** Replaces every invisible character by `\uXXXX`, one escape per UTF-16 unit. Tabs and line ends are replaced, too. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, i) => {
      const unit = character.charCodeAt(i).toString(16).padStart(4, "0");
      return `\\u${unit}`;
    }).join(""),
  );
}

/**
 * Like `escapeInvisible`, but keeps line ends, tabs, and the joiners and variation selectors of emoji. The result reads
 * as normal text and cannot change the direction of the text around it.
 */
export function escapeHiddenControls(text: string): string {
  return text.replace(INVISIBLE_EXCEPT_LAYOUT, escapeInvisible);
}

/** Formats a JSON value as indented text with invisible characters escaped. Parsing it yields the same value. */
export function formatEscapedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(escapeInvisible).join("\n");
}
