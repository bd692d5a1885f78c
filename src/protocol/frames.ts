// What the server says on a socket besides events.

import * as z from "zod";
import { conversationSchema } from "./conversation.ts";
import { frameSchema, type Frame } from "./events.ts";
import { pendingSchema } from "./question.ts";

export const controlFrameSchema = z.discriminatedUnion("type", [
  /** First of all; `seq` is the last one given out, `pending` the open questions to the person. */
  z.object({
    type: z.literal("ready"),
    conversation: conversationSchema,
    seq: z.int().nonnegative(),
    pending: z.array(pendingSchema),
  }),
  /** Everything up to `seq` has been sent; what follows is live. */
  z.object({ type: z.literal("caught_up"), seq: z.int().nonnegative() }),
  z.object({ type: z.literal("ack"), id: z.string(), thread_id: z.string().optional(), seq: z.int().nonnegative() }),
  z.object({
    type: z.literal("error"),
    id: z.string().optional(),
    code: z.string(),
    message: z.string(),
    field: z.string().optional(),
    /** Seconds after which it may go better. */
    retry_after: z.int().optional(),
  }),
]);
export type ControlFrame = z.infer<typeof controlFrameSchema>;

export type ServerFrame = ControlFrame | Frame;

/** Reads one server frame. Throws a ZodError on anything else. */
export function parseServerFrame(json: unknown): ServerFrame {
  const isControl = typeof json === "object" && json !== null && "type" in json;
  return isControl ? controlFrameSchema.parse(json) : (frameSchema.parse(json) as Frame);
}
