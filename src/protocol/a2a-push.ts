// What A2A clients are told by push notification, and where.

import * as z from "zod";
import { taskIdOf } from "./a2a.ts";
import { unreachable } from "./assert.ts";
import type { ThreadState, ThreadStatus } from "./thread-state.ts";
import { cut } from "./shortened.ts";

/** A value of a header: no line of it can begin another. */
const headerText = z
  .string()
  .max(4_096)
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

/** Where a client wants to be told of a task. `version` is the A2A in which it registered, and in which it is told. */
export const pushSchema = z.object({
  id: z.string().min(1).max(128),
  url: z.url().max(2_048),
  token: headerText.exactOptional(),
  authentication: z
    .object({ scheme: headerText.min(1).regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a token"), credentials: headerText })
    .exactOptional(),
  version: z.enum(["1.0", "0.3"]),
});
export type Push = z.infer<typeof pushSchema>;

/** The headers of a notification: what shows the receiver who sends it. */
export function pushHeaders({ token, authentication, version }: Push): Record<string, string> {
  return {
    "content-type": version === "1.0" ? "application/a2a+json" : "application/json",
    ...(token === undefined ? {} : { "x-a2a-notification-token": token }),
    ...(authentication === undefined
      ? {}
      : { authorization: `${authentication.scheme} ${authentication.credentials}`.trim() }),
  };
}

/** Words longer than that are cut: whoever wants all of it asks for the task. */
const MOST_CHARS = 10_000;

type Place = { readonly conversation_id: string; readonly thread_id: string };

/** The body that tells how a thread stands at a time, in milliseconds since the epoch: a status update. */
export function notificationOf(version: Push["version"], place: Place, state: ThreadState, at: number): string {
  const contextId = place.conversation_id;
  const taskId = taskIdOf(contextId, place.thread_id);
  const timestamp = new Date(at).toISOString();
  const text = wordsOf(state);
  const message = { messageId: `${taskId}.${at}`, contextId, taskId };
  if (version === "1.0") {
    const said = { ...message, role: "ROLE_AGENT", parts: [{ text }] };
    const status = { state: STATES[state.status], ...(text === "" ? {} : { message: said }), timestamp };
    return JSON.stringify({ statusUpdate: { taskId, contextId, status } });
  }
  const said = { kind: "message", ...message, role: "agent", parts: [{ kind: "text", text }] };
  const status = { state: LEGACY_STATES[state.status], ...(text === "" ? {} : { message: said }), timestamp };
  const final = state.status !== "submitted" && state.status !== "working";
  return JSON.stringify({ kind: "status-update", taskId, contextId, status, final });
}

function wordsOf({ status, pending, failure }: ThreadState): string {
  switch (status) {
    case "input_required":
      return cut(pending.map(({ prompt }) => prompt).join("\n\n"), MOST_CHARS);
    case "failed":
      return cut(failure?.content ?? "", MOST_CHARS);
    case "submitted":
    case "working":
    case "completed":
    case "cancelled":
      return "";
    default:
      return unreachable(status);
  }
}

const STATES = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  input_required: "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
} as const satisfies Record<ThreadStatus, string>;

const LEGACY_STATES = {
  submitted: "submitted",
  working: "working",
  input_required: "input-required",
  completed: "completed",
  failed: "failed",
  cancelled: "canceled",
} as const satisfies Record<ThreadStatus, string>;
