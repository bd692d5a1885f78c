// The status of an instance, as shown in lists.

import type { InstanceSummary } from "../../protocol/plan-instance.ts";
import type { Tone } from "../ui/badge.tsx";

export const TONES = {
  not_started: "plain",
  running: "info",
  done: "good",
  error: "bad",
  cancelled: "plain",
} as const satisfies Record<NonNullable<InstanceSummary["status"]>, Tone>;

/** For instances of which only the conversation status is known. It does not distinguish cancelled from done. */
const BY_CONVERSATION = {
  active: ["status_running", "info"],
  require_user_input: ["waitsForYou", "warn"],
  completed: ["ended", "plain"],
  failed: ["status_error", "bad"],
  inactive: ["status_cancelled", "plain"],
} as const satisfies Record<NonNullable<InstanceSummary["conversation_status"]>, readonly [string, Tone]>;

/** Returns the message key of the status and the tone of its badge. */
export function standingOf({ status, conversation_status: conversation }: InstanceSummary) {
  if (conversation === "require_user_input" && (status === undefined || status === "running")) {
    return BY_CONVERSATION.require_user_input;
  }
  return status === undefined
    ? BY_CONVERSATION[conversation ?? "active"]
    : ([`status_${status}`, TONES[status]] as const);
}
