// The control frames that the server sends on a socket in addition to events.

import * as z from "zod";
import { conversationInfoSchema } from "./conversation-info.ts";
import { frameSchema, type Frame } from "./events.ts";
import { pendingQuestionSchema } from "./question.ts";

export const controlFrameSchema = z.discriminatedUnion("type", [
  /** The first frame. `seq` is the last assigned number; `pending` lists the open questions. */
  z.object({
    type: z.literal("ready"),
    conversation: conversationInfoSchema,
    seq: z.int().nonnegative(),
    pending: z.array(pendingQuestionSchema),
  }),
  /** All events up to `seq` were sent; later frames are live. */
  z.object({ type: z.literal("caught_up"), seq: z.int().nonnegative() }),
  /** The command `id` and all events up to `seq` are stored. `thread_id` is the thread that the command concerns. */
  z.object({ type: z.literal("ack"), id: z.string(), thread_id: z.string().optional(), seq: z.int().nonnegative() }),
  /** A refused command or, without `id`, a fault of the connection. */
  z.object({
    type: z.literal("error"),
    id: z.string().optional(),
    code: z.string(),
    message: z.string(),
    field: z.string().optional(),
    /** Seconds after which another attempt may succeed. */
    retry_after: z.int().optional(),
  }),
]);
export type ControlFrame = z.infer<typeof controlFrameSchema>;

export type ServerFrame = ControlFrame | Frame;

/** Validates parsed JSON as a server frame. Throws a `ZodError` for any other value. */
export function parseServerFrame(json: unknown): ServerFrame {
  const isControl = typeof json === "object" && json !== null && "type" in json;
  return isControl ? controlFrameSchema.parse(json) : (frameSchema.parse(json) as Frame);
}
