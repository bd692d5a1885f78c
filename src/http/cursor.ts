// Cursors of paginated lists. They are opaque to clients: base64url (RFC 4648, section 5) of JSON, without padding.

import * as z from "zod";
import { Fault } from "../protocol/fault.ts";

const placeSchema = z.tuple([z.int(), z.string()]);

/** Encodes a JSON value as a string that is safe in a URL. Only characters of Latin-1 are supported. */
export function opaque(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes a string of `encodeOpaque`. Throws, but not a `Fault`, if it does not match the schema. */
export function behind<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
}

/** Returns the cursor of the page after the entry with this time or position and this id. */
export function cursorOf(at: number, id: string): string {
  return opaque([at, id]);
}

/** Decodes a cursor. Throws `invalid_request` if it was not created by `encodeCursor`. */
export function placeIn(cursor: string): { readonly at: number; readonly id: string } {
  try {
    const [at, id] = behind(placeSchema, cursor);
    return { at, id };
  } catch {
    throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
  }
}
