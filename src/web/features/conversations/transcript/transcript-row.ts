// The kinds of rows of a transcript.

import type { SendCommand } from "../../../../protocol/wire/commands.ts";
import type { Item } from "../../../../protocol/wire/items.ts";
import { type Plan, isFinalTaskStatus } from "../../../../protocol/plans/task-plan.ts";
import type { ThreadView } from "../../../../protocol/wire/view.ts";
import type { OutgoingMessage } from "../state/conversation-context.ts";
import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import { computeProgress } from "../task-plan/plan-facts.ts";

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

// Derives from the view what an open thread is doing, as shown to the person who waits for it.

/**
 * `thinking`: a model works and nothing else applies. `asking`: agents are about to be called. `working`: the tasks of
 * `agents` run. `retrying`: the task `title` waits for its next attempt. `waiting`: for an answer of the person.
 * `verifying`, `summing`: the finished tasks are verified, or combined to an answer. `writing`: text arrives.
 */
export type ThreadActivity =
  | { readonly kind: "thinking" }
  | { readonly kind: "asking"; readonly agents: readonly string[] }
  | { readonly kind: "planning" }
  | { readonly kind: "working"; readonly agents: readonly string[]; readonly done: number; readonly total: number }
  | { readonly kind: "retrying"; readonly title: string }
  | { readonly kind: "waiting" }
  | { readonly kind: "verifying" }
  | { readonly kind: "summing" }
  | { readonly kind: "writing"; readonly agent: string };

type ThreadActivityInput = {
  readonly thread: ThreadView;
  /** All items of the thread, in order. */
  readonly items: readonly Item[];
  readonly plan: Plan | undefined;
  readonly pending: readonly PendingQuestion[];
};

/**
 * Returns the activity of an open thread. Running tasks take precedence over a retry, and both over an open question.
 * `plan` is the last plan of the thread; `pending` may contain questions of other threads.
 */
export function computeActivity({ thread, items, plan, pending }: ThreadActivityInput): ThreadActivity {
  const isAsked = pending.some(({ thread_id }) => thread_id === thread.thread_id);
  if (plan === undefined) return isAsked ? { kind: "waiting" } : computeActivityBeforePlan(thread, items);
  const { tasks } = plan;
  const running = tasks.filter(({ status }) => status === "running");
  const last = items.at(-1);
  const isWriting = last?.event === "message_chunk" && tasks.length === 1;
  if (isWriting && running.length > 0) return { kind: "writing", agent: last.agent_name ?? "" };
  if (running.length > 0) {
    const agents = [...new Set(running.map(({ agent_name }) => agent_name))];
    // Counted as in the plan card: failed tasks are not done.
    const { done, total } = computeProgress(tasks);
    return { kind: "working", agents, done, total };
  }
  const retried = tasks.find(({ status }) => status === "retrying");
  if (retried !== undefined) return { kind: "retrying", title: retried.title };
  if (isAsked) return { kind: "waiting" };
  if (!tasks.every(({ status }) => isFinalTaskStatus(status) || status === "scheduled"))
    return createAskingActivity(tasks);
  if (plan.verify === true && thread.verification === undefined) return { kind: "verifying" };
  if (tasks.length === 1) return { kind: "thinking" };
  const isTask = (item: Item | undefined) => tasks.some(({ task_id }) => task_id === item?.task_id);
  if (last?.event === "message_chunk" && !isTask(last)) return { kind: "writing", agent: last.agent_name ?? "" };
  return { kind: "summing" };
}

function computeActivityBeforePlan(thread: ThreadView, items: readonly Item[]): ThreadActivity {
  const last = items.at(-1);
  if (last?.event === "message_chunk") return { kind: "writing", agent: last.agent_name ?? "" };
  if (thread.triage !== undefined) {
    const { decision, strategy, selected_agents } = thread.triage;
    if (decision === "answer") return { kind: "thinking" };
    return strategy === "needs_planning" || selected_agents.length === 0
      ? { kind: "planning" }
      : { kind: "asking", agents: selected_agents };
  }
  const requestedAgent = items[0]?.metadata["agent"];
  return typeof requestedAgent === "string" && requestedAgent !== ""
    ? { kind: "asking", agents: [requestedAgent] }
    : { kind: "thinking" };
}

function createAskingActivity(tasks: Plan["tasks"]): ThreadActivity {
  const next = tasks.filter(({ status }) => status === "pending").map(({ agent_name }) => agent_name);
  return { kind: "asking", agents: [...new Set(next)].slice(0, 3) };
}
