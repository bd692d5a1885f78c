import * as z from "zod";
import { Fault } from "../protocol/fault.ts";

const placeSchema = z.tuple([z.int(), z.string()]);

/** A value as a text that means nothing to clients and may stand in an address. */
export function opaque(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The value behind such a text. Throws for one that has none of that shape, and so was not given out here. */
export function behind<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
}

/** Where the page after what happened at `at` to `id` begins, as a text that means nothing to clients. */
export function cursorOf(at: number, id: string): string {
  return opaque([at, id]);
}

/** Reads a cursor. Throws a `Fault` for one that was not given out here. */
export function placeIn(cursor: string): { readonly at: number; readonly id: string } {
  try {
    const [at, id] = behind(placeSchema, cursor);
    return { at, id };
  } catch {
    throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
  }
}
