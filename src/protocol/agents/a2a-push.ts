// Push notifications to A2A clients: their configuration, headers and bodies.

import * as z from "zod";
import { formatA2ATaskId } from "./a2a-extension.ts";
import { assertNever } from "../../lib/assert.ts";
import type { ThreadState, ThreadStatus } from "../wire/thread-state.ts";
import { truncate } from "../../lib/truncate.ts";

/** A header value: printable ASCII without line breaks, so that it cannot inject another header. */
const headerText = z
  .string()
  .max(4_096)
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

/**
 * The notification config of one client for one task. `version` is the A2A version of the registration; notifications
 * use the same version.
 */
export const pushConfigSchema = z.object({
  id: z.string().min(1).max(128),
  url: z.url().max(2_048),
  token: headerText.exactOptional(),
  authentication: z
    .object({ scheme: headerText.min(1).regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a token"), credentials: headerText })
    .exactOptional(),
  version: z.enum(["1.0", "0.3"]),
});
export type PushConfig = z.infer<typeof pushConfigSchema>;

/** Creates the headers of a notification: content type, and the token and credentials that the client registered. */
export function createPushHeaders({ token, authentication, version }: PushConfig): Record<string, string> {
  return {
    "content-type": version === "1.0" ? "application/a2a+json" : "application/json",
    ...(token === undefined ? {} : { "x-a2a-notification-token": token }),
    ...(authentication === undefined
      ? {}
      : { authorization: `${authentication.scheme} ${authentication.credentials}`.trim() }),
  };
}

/** Longer texts are truncated. A client that needs the full text requests the task. */
const MAX_NOTIFICATION_CHARS = 10_000;

type NotifiedThread = { readonly conversation_id: string; readonly thread_id: string };

/**
 * Creates the JSON body of a notification: a status update with the state of the thread at `at` (ms since the epoch).
 * The message id depends only on the task and `at`, so a repeated delivery has the same id.
 */
export function createPushNotification(
  version: PushConfig["version"],
  thread: NotifiedThread,
  state: ThreadState,
  at: number,
): string {
  const contextId = thread.conversation_id;
  const taskId = formatA2ATaskId(contextId, thread.thread_id);
  const timestamp = new Date(at).toISOString();
  const text = getNotificationText(state);
  const message = { messageId: `${taskId}.${at}`, contextId, taskId };
  if (version === "1.0") {
    const agentMessage = { ...message, role: "ROLE_AGENT", parts: [{ text }] };
    const status = {
      state: A2A_TASK_STATES[state.status],
      ...(text === "" ? {} : { message: agentMessage }),
      timestamp,
    };
    return JSON.stringify({ statusUpdate: { taskId, contextId, status } });
  }
  const agentMessage = { kind: "message", ...message, role: "agent", parts: [{ kind: "text", text }] };
  const status = {
    state: LEGACY_TASK_STATES[state.status],
    ...(text === "" ? {} : { message: agentMessage }),
    timestamp,
  };
  const final = state.status !== "submitted" && state.status !== "working";
  return JSON.stringify({ kind: "status-update", taskId, contextId, status, final });
}

/** Returns the open questions or the reason of the failure; "" for all other states. */
function getNotificationText({ status, pending, failure }: ThreadState): string {
  switch (status) {
    case "input_required":
      return truncate(pending.map(({ prompt }) => prompt).join("\n\n"), MAX_NOTIFICATION_CHARS);
    case "failed":
      return truncate(failure?.content ?? "", MAX_NOTIFICATION_CHARS);
    case "submitted":
    case "working":
    case "completed":
    case "cancelled":
      return "";
    default:
      return assertNever(status);
  }
}

const A2A_TASK_STATES = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  input_required: "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
} as const satisfies Record<ThreadStatus, string>;

const LEGACY_TASK_STATES = {
  submitted: "submitted",
  working: "working",
  input_required: "input-required",
  completed: "completed",
  failed: "failed",
  cancelled: "canceled",
} as const satisfies Record<ThreadStatus, string>;
