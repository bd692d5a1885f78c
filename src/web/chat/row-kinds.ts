// What a row of a conversation can be.

import type { Send } from "../../protocol/commands.ts";
import type { Item } from "../../protocol/items.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { ThreadView } from "../../protocol/view.ts";
import type { Activity } from "./activity.ts";
import type { Outgoing } from "./talk.ts";

type StepKind = "text" | "reasoning" | "tool" | "component" | "verification";

/** What the person had asked, to be sent once more. */
export type Again = Pick<Send, "message" | "agent" | "verify">;

export type Row =
  /** What the person has said. `isQueued`: an earlier message is still being worked on. */
  | { readonly kind: "message"; readonly key: string; readonly item: Item; readonly isQueued: boolean }
  /** A schedule has begun by itself. */
  | { readonly kind: "run"; readonly key: string; readonly item: Item }
  | { readonly kind: "question"; readonly key: string; readonly item: Item }
  | { readonly kind: "plan"; readonly key: string; readonly plan: Plan }
  | {
      readonly kind: StepKind;
      readonly key: string;
      readonly item: Item;
      /** More of it may come. */
      readonly isLive: boolean;
      /** Who speaks from here on, where that changes. */
      readonly speaker: string | undefined;
    }
  | { readonly kind: "failure"; readonly key: string; readonly item: Item; readonly again: Again | undefined }
  | { readonly kind: "working"; readonly key: string; readonly activity: Activity }
  | {
      readonly kind: "end";
      readonly key: string;
      readonly thread: ThreadView;
      /** All that was answered. */
      readonly answer: string;
      readonly outcome: "answered" | "stopped" | "never begun" | "failed";
      readonly again: Again | undefined;
    }
  | { readonly kind: "outgoing"; readonly key: string; readonly outgoing: Outgoing };
