// The response to requests that start or continue a thread: its location as JSON, or its events as a stream.

import * as z from "zod";
import type { Accepted } from "../durable/api.ts";
import { Fault } from "../protocol/fault.ts";
import { idempotencyKeyOf } from "./command-id.ts";
import type { Call } from "./route.ts";
import { sseResponse, wantsStream } from "./sse.ts";

/** Describes the JSON response: the ids of the conversation and the thread, and the `seq` of the accepted message. */
export const accepted = {
  status: 202,
  description: "Stored, and being worked on",
  schema: z.object({ conversation_id: z.string(), thread_id: z.string(), seq: z.int() }),
};

/**
 * Returns the thread as an event stream if the request accepts it (F13), otherwise its location. Closing the stream
 * does not stop the work. If too many readers follow the conversation, returns the location instead. Throws the other
 * faults of following.
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
    // The message is already stored. A client that received an error now would send it again.
    return place;
  }
}

/** Returns the id of a command from the body or, if the body has none, from the `Idempotency-Key` header. */
export function commandId(request: Request, given?: string): string | undefined {
  return given ?? idempotencyKeyOf(request);
}
