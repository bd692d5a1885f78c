// Text that hides nothing from whoever reads it.

/** Controls, what turns the direction of text, what takes no room, and what no font can show. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

const TURNING = /(?!\u200D|\uFE0E|\uFE0F|\t|\n|\r)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** The text with every character that cannot be seen written as `\uXXXX`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, i) => {
      const unit = character.charCodeAt(i).toString(16).padStart(4, "0");
      return `\\u${unit}`;
    }).join(""),
  );
}

/** The same but for line ends, tabs, and what joins the parts of an emoji: a text as it is read, which turns nothing around it. */
export function plainly(text: string): string {
  return text.replace(TURNING, visible);
}

/** A value as JSON over several lines. It can be read back: an escaped character is the same character. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(visible).join("\n");
}
