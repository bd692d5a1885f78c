// Cancels the threads of MCP calls by `notifications/cancelled` (T5).
//
// The notification is a request of its own and names only the id of the cancelled request, which is unique within the
// session of a client. The directory (D1) therefore stores the thread of every running call in a session. Order: the
// row of a call is stored before its result is awaited, and removed after it, unless the client has disconnected: then
// the thread continues and can still be cancelled. Without a session, or while the directory is down, calls cannot be
// cancelled; they run all the same.

import * as z from "zod";
import {
  addRunningCall,
  findRunningCall,
  removeRunningCall,
  type CalledThread,
} from "../../directory/running-calls.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import type { Env } from "../../env.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { sleep } from "../../lib/retry.ts";
import { toFault } from "../../protocol/wire/fault.ts";
import type { Operations } from "../api/operations.ts";
import { idSchema, type McpId, type McpParams } from "./mcp-message.ts";

/** The header with the id of a session. */
export const SESSION_HEADER = "mcp-session-id";
const SESSION_PATTERN = /^[\x21-\x7e]{1,128}$/;
/** A cancellation may overtake the row of its call: maximum attempts to find it, and the pause between them. */
const MAX_ATTEMPTS = 4;
const ATTEMPT_DELAY_MS = 150;

/** The calls of one user in one session. */
export type CallSession = { readonly env: Env; readonly operations: Operations; readonly session: string };

/** Returns the session of a request; null if it has none. The session exists only as this id. */
export function getCallSession(env: Env, operations: Operations, headers: Headers): CallSession | null {
  const session = headers.get(SESSION_HEADER);
  return session !== null && SESSION_PATTERN.test(session) ? { env, operations, session } : null;
}

/** The row of a running call. Neither function rejects: a failure is logged. */
export type CallRecord = { add(thread: CalledThread): Promise<void>; remove(): Promise<void> };

/** Returns access to the row of a call. */
export function createCallRecord({ env, operations: { userId }, session }: CallSession, id: McpId): CallRecord {
  const callId = computeCallId(session, id);
  let isAdded = false;
  return {
    async add(thread) {
      isAdded = true;
      await callId
        .then((call) => addRunningCall(openDirectory(env.DB), userId, call, thread, Date.now()))
        .catch(reportFailure);
    },
    async remove() {
      if (!isAdded) return;
      await callId.then((call) => removeRunningCall(openDirectory(env.DB), userId, call)).catch(reportFailure);
    },
  };
}

const cancelledSchema = z.looseObject({ requestId: idSchema });

/**
 * Cancels the thread of the call that a cancellation names. When it resolves, the cancellation is stored. Does nothing
 * for an unknown or ended call. Throws `unavailable` if the directory is down.
 */
export async function cancelCall({ env, operations, session }: CallSession, params: McpParams): Promise<void> {
  const { data } = cancelledSchema.safeParse(params);
  if (data === undefined) return;
  const callId = await computeCallId(session, data.requestId);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (attempt > 1) await sleep(ATTEMPT_DELAY_MS);
    const thread = await requireDirectory(findRunningCall(openDirectory(env.DB), operations.userId, callId));
    if (thread !== null) return cancelThread(operations, thread);
  }
}

/** Cancels a thread. A thread that has ended, or whose conversation was deleted, needs no cancellation. */
async function cancelThread(operations: Operations, { conversation_id: id, thread_id }: CalledThread): Promise<void> {
  try {
    await operations.cancel({ id, body: { thread_id } });
  } catch (thrown) {
    const { code } = toFault(thrown);
    if (code !== "conflict" && code !== "not_found") throw thrown;
  }
}

/** Returns the id of a call. Request ids `1` and `"1"` are different. */
function computeCallId(session: string, id: McpId): Promise<string> {
  return computeSha256(JSON.stringify([session, id]));
}

function reportFailure(thrown: unknown): void {
  console.error("The row of a running call could not be changed", thrown);
}
