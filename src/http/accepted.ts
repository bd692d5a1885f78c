// The answer to whatever begins a thread or goes on with one.

import * as z from "zod";
import type { Accepted } from "../durable/api.ts";
import { Fault } from "../protocol/fault.ts";
import { idempotencyKeyOf } from "./command-id.ts";
import type { Call } from "./route.ts";
import { sseResponse, wantsStream } from "./sse.ts";

export const accepted = {
  status: 202,
  description: "Stored, and being worked on",
  schema: z.object({ conversation_id: z.string(), thread_id: z.string(), seq: z.int() }),
};

/**
 * The thread as a stream, or where to find it, also where it cannot be streamed now. Closing the stream does not stop
 * the work (F13).
 */
export async function answerWithThread(
  { request, verbs, identity }: Call<unknown, unknown>,
  thread: Accepted,
): Promise<Response | object> {
  const { is_first: _, ...place } = thread;
  if (!wantsStream(request)) return place;
  try {
    return sseResponse(await verbs.followThread(thread), identity.expiresAt);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "too_many_requests") throw thrown;
    // It is stored and worked on: whoever was refused now would say it again.
    return place;
  }
}

/** The id of a command, as given in its body or its header. */
export function commandId(request: Request, given?: string): string | undefined {
  return given ?? idempotencyKeyOf(request);
}
