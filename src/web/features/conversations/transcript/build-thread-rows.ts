// Builds the rows of one thread: its message, its items and its end.

import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import type { Plan } from "../../../../protocol/plans/task-plan.ts";
import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import type { ThreadView } from "../../../../protocol/wire/view.ts";
import { parseFields, isItemLive, getItemScope, isSelfReference } from "../state/step-values.ts";
import { type ResendRequest, type TranscriptRow, computeActivity } from "./transcript-row.ts";

export type ThreadRowsInput = {
  readonly thread: ThreadView;
  /** All items of the thread, in order. */
  readonly items: readonly Item[];
  readonly plans: readonly Plan[];
  readonly isQueued: boolean;
  /** The open questions of the thread. */
  readonly pending: readonly PendingQuestion[];
  readonly hidesSteps: boolean;
};

/**
 * Returns the rows of a thread in order. Omits items of tasks that the card of a plan with several tasks shows, items
 * that have no row, and with `hidesSteps` reasoning and tool calls. The last row is the activity if the thread is open
 * and not queued, or the end if it has ended.
 */
export function buildThreadRows(state: ThreadRowsInput): readonly TranscriptRow[] {
  const { thread, items, plans, isQueued, hidesSteps } = state;
  const isOpen = thread.status === "open";
  const inCard = new Set(plans.filter(({ tasks }) => tasks.length > 1).flatMap((plan) => plan.tasks.map(getTaskId)));
  const last = new Map<string, Item>();
  if (isOpen) for (const item of items) last.set(getItemScope(item), item);
  const rows: TranscriptRow[] = [];
  let speaker: string | undefined;
  for (const item of items) {
    if (item.task_id !== undefined && inCard.has(item.task_id)) continue;
    const row = toRow(item, state, isItemLive(item, last.get(getItemScope(item)) === item, isOpen));
    if (row === null || (hidesSteps && (row.kind === "reasoning" || row.kind === "tool"))) continue;
    if (!("speaker" in row)) {
      speaker = getNamedAgent(row);
      rows.push(row);
      continue;
    }
    rows.push(item.agent_name === speaker ? row : { ...row, speaker: item.agent_name });
    speaker = item.agent_name;
  }
  if (isOpen && !isQueued) {
    const activity = computeActivity({ ...state, plan: plans.at(-1) });
    rows.push({ kind: "working", key: `${thread.thread_id}-working`, activity });
  }
  if (!isOpen) rows.push(buildEndRow(state, rows));
  return rows;
}

/** Returns the agent that the row names itself: that of a question, or of a plan with one task. */
function getNamedAgent(row: TranscriptRow): string | undefined {
  if (row.kind === "question") return row.item.agent_name;
  if (row.kind !== "plan" || row.plan.tasks.length !== 1) return undefined;
  return row.plan.tasks[0]?.agent_name;
}

/** Tool calls that the plan card and the activity row show already. */
const TOOLS_WITHOUT_ROW: ReadonlySet<string> = new Set(["connect_agent", "generate_execution_plan"]);

const getTaskId = ({ task_id }: { readonly task_id: string }): string => task_id;

/** Returns the row of an item, or null if it has none. The caller sets the speaker. */
function toRow(item: Item, state: ThreadRowsInput, isLive: boolean): TranscriptRow | null {
  const { plans, isQueued } = state;
  const key = item.item_id;
  const step = { key, item, isLive, speaker: undefined };
  switch (item.event) {
    case "thread_started":
      return item.role === "user" ? { kind: "message", key, item, isQueued } : { kind: "run", key, item };
    case "message":
      // The question shows its answer.
      return item.role === "user" ? null : { kind: "text", ...step };
    case "message_chunk":
      return { kind: "text", ...step };
    case "reasoning":
    case "reasoning_started":
    case "reasoning_completed":
      return getItemText(item) === "" && !isLive ? null : { kind: "reasoning", ...step };
    case "tool_call_started":
    case "tool_call_completed":
      return TOOLS_WITHOUT_ROW.has(String(item.payload["tool_name"])) ? null : { kind: "tool", ...step };
    case "component_generator":
      return isSelfReference(item) || isSoleTaskHandoff(item, plans) ? null : { kind: "component", ...step };
    case "task_waiting":
    case "plan_require_user_input":
      return { kind: "question", key, item };
    case "verification_completed":
      return { kind: "verification", ...step };
    case "plan_created": {
      const created = item.payload["plan"] as Plan;
      return { kind: "plan", key, plan: plans.find(({ plan_id }) => plan_id === created.plan_id) ?? created };
    }
    case "plan_failed":
    case "system_failed":
    case "task_failed":
    case "task_cancelled":
      return { kind: "failure", key, item, resend: getResendRequest(state) };
    case "conversation_started":
    case "triage_completed":
    case "task_started":
    case "task_completed":
    case "task_retrying":
    case "done":
      return null;
  }
}

/** Returns true for the handoff to the only task of a plan. The plan card links to its conversation already. */
function isSoleTaskHandoff({ task_id, payload }: Item, plans: readonly Plan[]): boolean {
  if (payload["component_type"] !== "subagent_conversation") return false;
  const task = plans.find(({ tasks }) => tasks.length === 1 && tasks[0]?.task_id === task_id)?.tasks[0];
  return task !== undefined && parseFields(String(payload["content"]))?.["agent_name"] === task.agent_name;
}

/** Returns the message to send again; undefined while the thread is open, and for threads that a schedule started. */
function getResendRequest({ thread, items, plans }: ThreadRowsInput): ResendRequest | undefined {
  const [begun] = items;
  if (thread.status === "open" || begun?.role !== "user") return undefined;
  const agent = begun.metadata["agent"];
  return {
    message: thread.query,
    ...(typeof agent === "string" ? { agent } : {}),
    ...(plans.some(({ verify }) => verify === true) ? { verify: true } : {}),
  };
}

function buildEndRow(state: ThreadRowsInput, rows: readonly TranscriptRow[]): TranscriptRow {
  const { thread, plans } = state;
  const answer = rows.flatMap((row) => (row.kind === "text" ? [getItemText(row.item)] : [])).join("\n\n");
  const outcome = computeOutcome(state, rows);
  // A failure row has its own retry button; a failed task within a plan card has none.
  const hasFailedPart = plans.some(({ tasks }) => tasks.length > 1 && tasks.some(isUnsuccessful));
  const offersRetry = outcome === "stopped" || outcome === "never begun" || (hasFailedPart && !rows.some(isFailureRow));
  const resend = offersRetry ? getResendRequest(state) : undefined;
  return { kind: "end", key: `${thread.thread_id}-end`, thread, answer, outcome, resend };
}

const isUnsuccessful = ({ status }: Plan["tasks"][number]): boolean => status === "failed" || status === "cancelled";
const isFailureRow = ({ kind }: TranscriptRow): boolean => kind === "failure";

function computeOutcome(
  { thread, items }: ThreadRowsInput,
  rows: readonly TranscriptRow[],
): Extract<TranscriptRow, { kind: "end" }>["outcome"] {
  if (thread.status === "failed") return "failed";
  // Only the conversation of a task has no message; it has no usage either.
  if (thread.usage === undefined) return items[0]?.event === "thread_started" ? "never begun" : "answered";
  if (thread.is_cancelled === true) return "stopped";
  return rows.every(({ kind }) => kind === "message" || kind === "reasoning" || kind === "tool")
    ? "stopped"
    : "answered";
}
