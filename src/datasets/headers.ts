import { MAX_HEADER_CHARS } from "./limits.ts";

/** What a blueprint takes for a reference into its data: nobody could ask for a column or a table of such a name. */
const REFERENCE = /^\$+(?=(?:context|input|data|compute)\.)/;

/** The name without its "$", if it would be taken for one. */
export function withoutReference(name: string): string {
  return name.trim().replace(REFERENCE, "");
}

/**
 * Names for columns: what the header says, without blanks around and control characters within. One that is empty
 * gets its number, one that is there already a number of its own, so that every name means one column.
 */
export function columnNames(header: readonly string[]): string[] {
  const tidied = header.map((cell) =>
    [...withoutReference(cell.normalize("NFC").replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " "))]
      .slice(0, MAX_HEADER_CHARS - 8)
      .join(""),
  );
  const isChinese = tidied.some((name) => /\p{Script=Han}/u.test(name));
  return unique(tidied.map((name, i) => (name === "" ? `${isChinese ? "列" : "Column "}${i + 1}` : name)));
}

/** The names in their order; one that has been taken, whatever its case, gets the first number that has not. */
export function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let candidate = name;
    for (let n = 2; taken.has(candidate.toLowerCase()); n++) candidate = `${name} (${n})`;
    taken.add(candidate.toLowerCase());
    return candidate;
  });
}
