import * as z from "zod";
import { Fault } from "../protocol/fault.ts";

const placeSchema = z.tuple([z.int(), z.string()]);

/** Where the page after what happened at `at` to `id` begins, as a text that means nothing to clients. */
export function cursorOf(at: number, id: string): string {
  return btoa(JSON.stringify([at, id]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Reads a cursor. Throws a `Fault` for one that was not given out here. */
export function placeIn(cursor: string): { readonly at: number; readonly id: string } {
  try {
    const [at, id] = placeSchema.parse(JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))));
    return { at, id };
  } catch {
    throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
  }
}
