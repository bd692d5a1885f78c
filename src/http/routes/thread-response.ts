// The response to requests that start or continue a thread: its location as JSON, or its events as a stream.

import * as z from "zod";
import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { readIdempotencyKey } from "../command-id.ts";
import type { RouteCall } from "../define-route.ts";
import { createSseResponse, acceptsEventStream } from "../sse.ts";

/** Describes the JSON response: the ids of the conversation and the thread, and the `seq` of the accepted message. */
export const acceptedResponse = {
  status: 202,
  description: "Accepted: the command is stored, and the work continues in the background",
  schema: z.object({ conversation_id: z.string(), thread_id: z.string(), seq: z.int() }),
};

/**
 * Returns the thread as an event stream if the request accepts it (F13), otherwise its location, which the route sends
 * as JSON. Closing the stream does not stop the work. If the thread cannot be followed because of too many readers or a
 * failed host, returns the location instead; throws the other faults.
 */
export async function respondWithThread(
  { request, operations, identity }: RouteCall<unknown, unknown>,
  thread: AcceptedCommand,
): Promise<Response | object> {
  const { is_first: _, ...location } = thread;
  if (!acceptsEventStream(request)) return location;
  try {
    return createSseResponse(await operations.followThread(thread), identity.expiresAt);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "too_many_requests") throw thrown;
    // The message is already stored. A client that received an error now would send it again.
    return location;
  }
}

/** Returns the id of a command from the body or, if the body has none, from the `Idempotency-Key` header. */
export function resolveCommandId(request: Request, bodyId?: string): string | undefined {
  return bodyId ?? readIdempotencyKey(request);
}
