// Computes the index of tools and the search in it, from the terms of both.
//
// Each term begins with a key of its owner. So the index has separate lists per user, and a search reads no others
// (U1).

import { extractTerms } from "../language/search-terms.ts";
import { computeSha256 } from "../lib/sha256.ts";

/** A row of `tool_index`. */
export type ToolIndexRow = { readonly name: string; readonly words: string; readonly hints: string };

const MAX_INDEXED_TERMS = 200;
const MAX_QUERY_TERMS = 32;
/** Returns the index row of a tool: terms of the owner, separated by spaces, at most `MAX_INDEXED_TERMS` per column. */
export async function createToolIndexRow(userId: string, name: string, description: string): Promise<ToolIndexRow> {
  const owner = await computeOwnerKey(userId);
  const { words, hints } = extractTerms(description);
  const joined = (terms: readonly string[]) =>
    terms
      .slice(0, MAX_INDEXED_TERMS)
      .map((term) => owner + term)
      .join(" ");
  return { name: joined(extractTerms(name).words), words: joined(words), hints: joined(hints) };
}

/**
 * Returns an FTS5 expression that matches the user's tools with any term of the text; null if the text has no terms.
 */
export async function buildSearchExpression(userId: string, text: string): Promise<string | null> {
  const owner = await computeOwnerKey(userId);
  const { words, hints } = extractTerms(text);
  // Quoted, so that text never acts as an operator.
  const formatTerms = (columns: string, terms: readonly string[]) =>
    terms.slice(0, MAX_QUERY_TERMS).map((term) => `{${columns}} : "${owner}${term}"`);
  const parts = [...formatTerms("name words", words), ...formatTerms("hints", hints)];
  return parts.length === 0 ? null : parts.join(" OR ");
}

/** Returns 16 hex digits and a letter that ends the key. */
async function computeOwnerKey(userId: string): Promise<string> {
  return `${(await computeSha256(userId)).slice(0, 16)}x`;
}
