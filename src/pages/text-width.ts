// The width of text in fixed-width columns. East Asian wide characters and emoji take two columns.

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** Truncates text to at most `columns` columns. Appends an ellipsis, which is not counted, if something was removed. */
export function truncateToColumns(text: string, columns: number): string {
  let used = 0;
  let result = "";
  for (const character of text) {
    used += measureCharacter(character);
    if (used > columns) return `${result}…`;
    result += character;
  }
  return result;
}

/** Returns the number of columns of a text. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += measureCharacter(character);
  return columns;
}

function measureCharacter(character: string): number {
  return WIDE.test(character) ? 2 : 1;
}
