import * as z from "zod";
import type { Place } from "../directory/conversations.ts";
import type { Conversation } from "../protocol/conversation.ts";
import { Fault } from "../protocol/fault.ts";

const placeSchema = z.tuple([z.int(), z.string()]);

/** Where the page after this conversation begins, as a text that means nothing to clients. */
export function cursorOf({ updated_at, conversation_id }: Conversation): string {
  return btoa(JSON.stringify([updated_at, conversation_id]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Reads a cursor. Throws a `Fault` for one that was not given out here. */
export function placeOf(cursor: string): Place {
  try {
    const [updatedAt, conversationId] = placeSchema.parse(
      JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))),
    );
    return { updatedAt, conversationId };
  } catch {
    throw new Fault("invalid_request", "cursor: is not one that was given out here", { field: "cursor" });
  }
}
