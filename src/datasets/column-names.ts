// Creates unique column names from headers.

import { toVisibleLine } from "../lib/visible-text.ts";
import { MAX_HEADER_CHARS } from "./dataset-limits.ts";

/**
 * The start of a name that a blueprint would parse as a reference. Columns and tables with such names could not be
 * addressed.
 */
const REFERENCE_PREFIX = /^\$+(?=(?:context|input|data|compute)\.)/;

/** Returns the trimmed name; without its leading dollar signs if it would be parsed as a reference. */
export function removeReferencePrefix(name: string): string {
  return name.trim().replace(REFERENCE_PREFIX, "");
}

/**
 * Returns one unique name per header cell, as one visible line of limited length. An empty
 * cell gets a numbered name in the language of the header.
 */
export function createColumnNames(header: readonly string[]): string[] {
  const normalized = header.map((cell) =>
    [...removeReferencePrefix(toVisibleLine(cell))].slice(0, MAX_HEADER_CHARS - 8).join(""),
  );
  const isChinese = normalized.some((name) => /\p{Script=Han}/u.test(name));
  return makeUnique(normalized.map((name, i) => (name === "" ? `${isChinese ? "列" : "Column "}${i + 1}` : name)));
}

/** Returns the names in their order. A name that is taken, ignoring case, gets the first free number. */
export function makeUnique(names: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return names.map((name) => {
    let candidate = name;
    for (let n = 2; usedNames.has(candidate.toLowerCase()); n++) candidate = `${name} (${n})`;
    usedNames.add(candidate.toLowerCase());
    return candidate;
  });
}
