/** A table before its types are known. Every row has as many cells as the header; null and blank texts are gaps. */
export type RawTable = {
  readonly header: readonly string[];
  /** Theirs who get it: they may put values in the places of the texts. */
  readonly rows: (string | null)[][];
  /** The line that a row stands on, both counted as people do: rows from 0, lines from 1. */
  lineOf(row: number): number;
  /** True when the separator leaves commas free for decimals. */
  readonly prefersCommas: boolean;
};
