// The status of an instance, as shown in lists.

import type { InstanceSummary } from "../../../protocol/workflows/workflow-instance.ts";
import type { BadgeTone } from "../../ui/badge.tsx";

export const INSTANCE_TONES = {
  not_started: "plain",
  running: "info",
  done: "good",
  error: "bad",
  cancelled: "plain",
} as const satisfies Record<NonNullable<InstanceSummary["status"]>, BadgeTone>;

/** For instances of which only the conversation status is known. It does not distinguish cancelled from done. */
const STATUS_BY_CONVERSATION = {
  active: ["status_running", "info"],
  require_user_input: ["needsInput", "warn"],
  completed: ["ended", "plain"],
  failed: ["status_error", "bad"],
  inactive: ["status_cancelled", "plain"],
} as const satisfies Record<NonNullable<InstanceSummary["conversation_status"]>, readonly [string, BadgeTone]>;

/**
 * Returns the message key of the status and the tone of its badge. A running instance whose conversation waits for the
 * person needs input.
 */
export function getInstanceStatus({ status, conversation_status: conversation }: InstanceSummary) {
  if (conversation === "require_user_input" && (status === undefined || status === "running")) {
    return STATUS_BY_CONVERSATION.require_user_input;
  }
  return status === undefined
    ? STATUS_BY_CONVERSATION[conversation ?? "active"]
    : ([`status_${status}`, INSTANCE_TONES[status]] as const);
}
