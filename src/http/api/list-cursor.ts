// Cursors of paginated lists. They are opaque to clients: base64url (RFC 4648, section 5) of JSON, without padding.

import * as z from "zod";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";

const cursorSchema = z.tuple([z.int(), z.string()]);

/** Encodes a JSON value as a string that is safe in a URL. Only characters of Latin-1 are supported. */
export function encodeOpaque(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes a string of `encodeOpaque`. Throws, but not a `Fault`, if it does not match the schema. */
export function decodeOpaque<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
}

/** Returns the cursor of the page after the entry with this position (a time in ms or a row number) and this id. */
export function encodeCursor(position: number, id: string): string {
  return encodeOpaque([position, id]);
}

/**
 * Decodes a cursor: `at` is the position. Null without a cursor. Throws `invalid_request` if it was not created by
 * `encodeCursor`.
 */
export function decodeCursor(cursor: string): { readonly at: number; readonly id: string };
export function decodeCursor(cursor: string | undefined): { readonly at: number; readonly id: string } | null;
export function decodeCursor(cursor: string | undefined): { readonly at: number; readonly id: string } | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = decodeOpaque(cursorSchema, cursor);
    return { at, id };
  } catch {
    throw createCursorFault();
  }
}

/** Returns the cursor of the page after a full page with these entries; null if the page is not full. */
export function computeNextCursor<Entry>(
  entries: readonly Entry[],
  limit: number,
  toPosition: (entry: Entry) => readonly [position: number, id: string],
): string | null {
  const last = entries.length < limit ? undefined : entries.at(-1);
  return last === undefined ? null : encodeCursor(...toPosition(last));
}

/** Creates the fault (`invalid_request`) for a cursor that is malformed or of another list. */
export function createCursorFault(): Fault {
  return createFault("invalid_request", "http.invalidCursor", { field: "cursor" });
}
