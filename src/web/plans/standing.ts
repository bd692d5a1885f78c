// How an instance stands, as a list shows it.

import type { InstanceSummary } from "../../protocol/plan-instance.ts";
import type { Tone } from "../ui/badge.tsx";

export const TONES = {
  not_started: "plain",
  running: "info",
  done: "good",
  error: "bad",
  cancelled: "plain",
} as const satisfies Record<NonNullable<InstanceSummary["status"]>, Tone>;

/** For those of which only the conversation is known: whether it was stopped or is done, that does not say. */
const BY_CONVERSATION = {
  active: ["status_running", "info"],
  require_user_input: ["waitsForYou", "warn"],
  completed: ["ended", "plain"],
  failed: ["status_error", "bad"],
  inactive: ["status_cancelled", "plain"],
} as const satisfies Record<NonNullable<InstanceSummary["conversation_status"]>, readonly [string, Tone]>;

/** The name of the words for it, and their tone. */
export function standingOf({ status, conversation_status: conversation }: InstanceSummary) {
  if (conversation === "require_user_input" && (status === undefined || status === "running")) {
    return BY_CONVERSATION.require_user_input;
  }
  return status === undefined
    ? BY_CONVERSATION[conversation ?? "active"]
    : ([`status_${status}`, TONES[status]] as const);
}
