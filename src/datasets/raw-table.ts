// The table that the file parsers return.

/** A table whose types are not known yet. Every row has as many cells as the header; null and blank texts are gaps. */
export type RawTable = {
  readonly header: readonly string[];
  /** Owned by the caller, who may replace the texts with typed values in place. */
  readonly rows: (string | null)[][];
  /** Returns the line of the file, from 1, for a row, from 0. */
  getFileLine(row: number): number;
  /** True if the separator leaves commas free as decimal marks. */
  readonly prefersCommas: boolean;
};
