// Text cut into rows of cells, as RFC 4180 has it: a cell within quotes may hold separators, lines, and quotes written twice.

/** Where a quote is wrong: the place in the text, and which cell of its row it begins, from 1. */
export type BrokenQuote = { readonly at: number; readonly column: number; readonly isOpen: boolean };

export type Rows = {
  readonly rows: string[][];
  /** There is more than `most` rows. */
  readonly isCut: boolean;
};

/** Lines end in `\n`. What is wrong is told to `broken`; where that goes on, as much is read as can be. */
export function rowsIn(text: string, separator: string, most: number, broken: (quote: BrokenQuote) => void): Rows {
  const rows: string[][] = [];
  let row: string[] = [];
  let [nextSeparator, nextLine] = [-1, -1];
  const endOf = (from: number): number => {
    if (nextSeparator < from) nextSeparator = after(text, separator, from);
    if (nextLine < from) nextLine = after(text, "\n", from);
    return Math.min(nextSeparator, nextLine);
  };
  for (let at = 0; text !== "";) {
    let end: number;
    if (text[at] === '"') {
      const found = quoted(text, at + 1, separator, (isOpen) => broken({ at, column: row.length + 1, isOpen }));
      ({ end } = found);
      row.push(found.cell);
    } else {
      end = endOf(at);
      row.push(text.slice(at, end));
    }
    const isLast = end >= text.length;
    if (isLast || text[end] === "\n") {
      rows.push(row);
      row = [];
    }
    if (isLast) break;
    if (rows.length >= most) return { rows, isCut: true };
    at = end + 1;
  }
  return { rows, isCut: false };
}

/** A cell whose quote is open, and where it ends: blanks behind the closing quote are none of it. */
function quoted(text: string, from: number, separator: string, broken: (isOpen: boolean) => void) {
  let isDoubled = false;
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) {
      broken(true);
      return { cell: text.slice(from), end: text.length };
    }
    if (text[at + 1] === '"') {
      isDoubled = true;
      at += 1;
      continue;
    }
    const end = closedAt(text, at + 1, separator);
    if (end !== null) {
      const cell = text.slice(from, at);
      return { cell: isDoubled ? cell.replaceAll('""', '"') : cell, end };
    }
    broken(false);
  }
}

/** Where the cell ends that a quote closed; null when something else stands behind it. */
function closedAt(text: string, from: number, separator: string): number | null {
  for (let at = from; ; at++) {
    const character = text[at];
    if (character === undefined || character === separator || character === "\n") return at;
    if (character.trim() !== "") return null;
  }
}

function after(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at < 0 ? text.length : at;
}
