// The response to requests that start or continue a thread: its location as JSON, or its events as a stream.

import type { AcceptedCommand } from "../../durable/conversation-api.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { acceptsEventStream, createSseResponse } from "../sse.ts";
import { followThread } from "./conversation-access.ts";
import type { Caller } from "./operation.ts";

type ThreadRequest = { readonly request: Request; readonly caller: Caller };

/** Describes the response in /openapi.json. */
export const THREAD_ANSWER = {
  status: 202,
  answer: "Accepted: the command is stored, and the work continues in the background",
  streams: true,
};

/**
 * Returns the thread as an event stream if the request accepts it (F13), otherwise its location, which is sent as JSON.
 * Closing the stream does not stop the work. If the thread cannot be followed because of too many readers or a failed
 * host, returns the location instead; throws the other faults.
 */
export async function respondWithThread(
  { is_first, ...location }: AcceptedCommand,
  { request, caller }: ThreadRequest,
): Promise<Response | object> {
  if (!acceptsEventStream(request)) return location;
  try {
    return createSseResponse(await followThread(caller, { is_first, ...location }), caller.expiresAt);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code !== "too_many_requests") throw thrown;
    // The message is already stored. A client that received an error now would send it again.
    return location;
  }
}
