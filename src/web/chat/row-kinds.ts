// The kinds of rows of a transcript.

import type { Send } from "../../protocol/commands.ts";
import type { Item } from "../../protocol/items.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { ThreadView } from "../../protocol/view.ts";
import type { Activity } from "./activity.ts";
import type { Outgoing } from "./talk.ts";

type StepKind = "text" | "reasoning" | "tool" | "component" | "verification";

/** The message of a thread, to be sent again. */
export type Again = Pick<Send, "message" | "agent" | "verify">;

export type Row =
  /** A message of the person. `isQueued`: an earlier thread is still running. */
  | { readonly kind: "message"; readonly key: string; readonly item: Item; readonly isQueued: boolean }
  /** The start of a schedule run. */
  | { readonly kind: "run"; readonly key: string; readonly item: Item }
  | { readonly kind: "question"; readonly key: string; readonly item: Item }
  | { readonly kind: "plan"; readonly key: string; readonly plan: Plan }
  | {
      readonly kind: StepKind;
      readonly key: string;
      readonly item: Item;
      /** The item may still grow. */
      readonly isLive: boolean;
      /** The agent name, if it differs from that of the previous row. */
      readonly speaker: string | undefined;
    }
  | { readonly kind: "failure"; readonly key: string; readonly item: Item; readonly again: Again | undefined }
  | { readonly kind: "working"; readonly key: string; readonly activity: Activity }
  | {
      readonly kind: "end";
      readonly key: string;
      readonly thread: ThreadView;
      /** The text of all answers. */
      readonly answer: string;
      readonly outcome: "answered" | "stopped" | "never begun" | "failed";
      readonly again: Again | undefined;
    }
  | { readonly kind: "outgoing"; readonly key: string; readonly outgoing: Outgoing };
