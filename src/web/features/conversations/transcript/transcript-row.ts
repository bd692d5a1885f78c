// The kinds of rows of a transcript.

import type { SendCommand } from "../../../../protocol/wire/commands.ts";
import type { Item } from "../../../../protocol/wire/items.ts";
import type { Plan } from "../../../../protocol/plans/task-plan.ts";
import type { ThreadView } from "../../../../protocol/wire/view.ts";
import type { ThreadActivity } from "./thread-activity.ts";
import type { OutgoingMessage } from "../state/conversation-context.ts";

type StepRowKind = "text" | "reasoning" | "tool" | "component" | "verification";

/** The message of a thread, to be sent again. */
export type ResendRequest = Pick<SendCommand, "message" | "agent" | "verify">;

export type TranscriptRow =
  /** A message of the person. `isQueued`: an earlier thread is still running. */
  | { readonly kind: "message"; readonly key: string; readonly item: Item; readonly isQueued: boolean }
  /** The start of a schedule run. */
  | { readonly kind: "run"; readonly key: string; readonly item: Item }
  /** A question of an agent, of the planner or of a workflow. */
  | { readonly kind: "question"; readonly key: string; readonly item: Item }
  | { readonly kind: "plan"; readonly key: string; readonly plan: Plan }
  | {
      readonly kind: StepRowKind;
      readonly key: string;
      readonly item: Item;
      /** The item may still grow. */
      readonly isLive: boolean;
      /** The agent name, if it differs from that of the previous row. */
      readonly speaker: string | undefined;
    }
  /** `resend`: the message that a retry sends again, if it can be repeated. */
  | { readonly kind: "failure"; readonly key: string; readonly item: Item; readonly resend: ResendRequest | undefined }
  /** The current activity of an open thread. */
  | { readonly kind: "working"; readonly key: string; readonly activity: ThreadActivity }
  | {
      readonly kind: "end";
      readonly key: string;
      readonly thread: ThreadView;
      /** The text of all answers of agents, joined by empty lines; "" without an answer. */
      readonly answer: string;
      /** `stopped`: cancelled or ended without an answer. `never begun`: cancelled while it was queued. */
      readonly outcome: "answered" | "stopped" | "never begun" | "failed";
      /** Present if the message may be worth a retry and no failure row offers it. */
      readonly resend: ResendRequest | undefined;
    }
  | { readonly kind: "outgoing"; readonly key: string; readonly outgoing: OutgoingMessage };
