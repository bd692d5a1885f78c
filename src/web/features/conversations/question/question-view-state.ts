// Derives the state of a question from the view. The answers are cached per `ItemMap` object, which is immutable.

import { getItemText, type Item, type ItemMap } from "../../../../protocol/wire/items.ts";
import { questionPayloadSchema, parseDecision, type Approval } from "../../../../protocol/wire/question.ts";
import type { ConversationView } from "../../../../protocol/wire/view.ts";
import { toFields, parseFields, getStringField } from "../state/step-values.ts";

export type AskedQuestion = ReturnType<typeof questionPayloadSchema.parse>;

export type QuestionViewState =
  | { readonly state: "open" }
  /** `edited`: the arguments that were approved instead of the requested ones. */
  | { readonly state: "answered"; readonly answer: string; readonly edited?: Approval["arguments"] }
  /** Not answered in time. */
  | { readonly state: "expired" }
  /** Its task or thread was cancelled. */
  | { readonly state: "cancelled" }
  /** Its task or thread continued or ended without an answer. */
  | { readonly state: "superseded" };

/** Parses the question of an item; null if the item is not a question. */
export function parseAskedQuestion(item: Item): AskedQuestion | null {
  return questionPayloadSchema.safeParse(item.payload).data ?? null;
}

/**
 * Returns the state of the question that the item asks: open while it is pending, then answered if the person's answer
 * is among the items, otherwise as its task or thread has ended.
 */
export function computeQuestionState(
  { items, pending, plans, threads }: ConversationView,
  item: Item,
  asked: AskedQuestion,
): QuestionViewState {
  const { request_id } = asked;
  if (pending.some((open) => open.request_id === request_id)) return { state: "open" };
  const answer = collectAnswers(items).get(request_id);
  if (answer !== undefined) return { state: "answered", ...answer };
  const end = findEndItem(items, item);
  if (end?.payload["code"] === "question_expired") return { state: "expired" };
  if (end?.event === "task_cancelled") return { state: "cancelled" };
  const isStopped =
    item.task_id === undefined || !item.event.startsWith("task")
      ? threads.find(({ thread_id }) => thread_id === item.thread_id)?.status === "done"
      : plans.some(({ tasks }) => tasks.some((task) => task.task_id === item.task_id && task.status === "cancelled"));
  return { state: isStopped ? "cancelled" : "superseded" };
}

/** Returns the item with which the task or thread of the question failed or was cancelled, if there is one. */
function findEndItem(items: ItemMap, { task_id, thread_id }: Item): Item | undefined {
  for (const item of items.values()) {
    const isOfTask = item.event === "task_failed" || item.event === "task_cancelled";
    if (isOfTask && task_id !== undefined && item.task_id === task_id) return item;
    if ((item.event === "plan_failed" || item.event === "system_failed") && item.thread_id === thread_id) return item;
  }
  return undefined;
}

type GivenAnswer = Pick<Extract<QuestionViewState, { readonly state: "answered" }>, "answer" | "edited">;
const answersCache = new WeakMap<ItemMap, ReadonlyMap<string, GivenAnswer>>();

/** Returns the answers of the person by request id. */
function collectAnswers(items: ItemMap): ReadonlyMap<string, GivenAnswer> {
  const cached = answersCache.get(items);
  if (cached !== undefined) return cached;
  const answers = new Map<string, GivenAnswer>();
  for (const item of items.values()) {
    const { request_id: id } = item.metadata;
    const edited = toFields(item.metadata["arguments"]);
    if (item.event !== "message" || item.role !== "user" || typeof id !== "string") continue;
    answers.set(id, { answer: getItemText(item), ...(edited === null ? {} : { edited }) });
  }
  answersCache.set(items, answers);
  return answers;
}

/** The answer to an approval. `reason` is "" if none was given. `words`: a text that is not a decision. */
type ApprovalAnswer =
  | { readonly kind: "approved" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "words"; readonly words: string };

/** Parses the answer to an approval, as `parseDecision` does, and the reason after the word of a refusal. */
export function parseApprovalAnswer(answer: string): ApprovalAnswer {
  const decision = parseDecision(answer);
  if (decision === "approve") return { kind: "approved" };
  if (decision === "refuse")
    return { kind: "refused", reason: answer.replace(/^\s*\S+?[\s,.:;，。：；]+|^\s*\S+$/, "").trim() };
  return { kind: "words", words: answer };
}

/** Returns the message that refuses an approval: `refuse`, or `refuse: reason`. */
export function formatRefusal(reason: string): string {
  return reason.trim() === "" ? "refuse" : `refuse: ${reason.trim()}`;
}

// A workflow instance on hold asks a question. If several values are missing, the form of the instance collects them.

/** Returns the id of the instance on hold whose form answers the question; null if a text answer is sufficient. */
export function findInstanceWithForm(items: ItemMap, requestId: string): string | null {
  for (const { payload } of items.values()) {
    if (payload["component_type"] !== "plan_instance") continue;
    const fields = parseFields(String(payload["content"])) ?? {};
    const { request_id, missing } = toFields(fields["hold"]) ?? {};
    const needsForm = Array.isArray(missing) && missing.length > 1;
    if (request_id === requestId && needsForm) return getStringField(fields, "plan_instance_id");
  }
  return null;
}
