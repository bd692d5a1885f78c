// Derives the state of a question from the view. The answers are cached per `Items` object, which is immutable.

import { textOf, type Item, type Items } from "../../protocol/items.ts";
import { askedSchema, decisionOf, type Approval } from "../../protocol/question.ts";
import type { View } from "../../protocol/view.ts";
import { fieldsOf } from "../steps/values.ts";

export type Asked = ReturnType<typeof askedSchema.parse>;

export type Standing =
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
export function askedIn(item: Item): Asked | null {
  return askedSchema.safeParse(item.payload).data ?? null;
}

export function standingOf({ items, pending, plans, threads }: View, item: Item, asked: Asked): Standing {
  const { request_id } = asked;
  if (pending.some((open) => open.request_id === request_id)) return { state: "open" };
  const answer = answersIn(items).get(request_id);
  if (answer !== undefined) return { state: "answered", ...answer };
  const end = endOf(items, item);
  if (end?.payload["code"] === "question_expired") return { state: "expired" };
  if (end?.event === "task_cancelled") return { state: "cancelled" };
  const isStopped =
    item.task_id === undefined || !item.event.startsWith("task")
      ? threads.find(({ thread_id }) => thread_id === item.thread_id)?.status === "done"
      : plans.some(({ tasks }) => tasks.some((task) => task.task_id === item.task_id && task.status === "cancelled"));
  return { state: isStopped ? "cancelled" : "superseded" };
}

/** Returns the item with which the task or thread of the question failed or was cancelled, if there is one. */
function endOf(items: Items, { task_id, thread_id }: Item): Item | undefined {
  for (const item of items.values()) {
    const isOfTask = item.event === "task_failed" || item.event === "task_cancelled";
    if (isOfTask && task_id !== undefined && item.task_id === task_id) return item;
    if ((item.event === "plan_failed" || item.event === "system_failed") && item.thread_id === thread_id) return item;
  }
  return undefined;
}

type Given = Pick<Extract<Standing, { readonly state: "answered" }>, "answer" | "edited">;
const known = new WeakMap<Items, ReadonlyMap<string, Given>>();

/** Returns the answers of the person by request id. */
function answersIn(items: Items): ReadonlyMap<string, Given> {
  const ready = known.get(items);
  if (ready !== undefined) return ready;
  const answers = new Map<string, Given>();
  for (const item of items.values()) {
    const { request_id: id } = item.metadata;
    const edited = fieldsOf(item.metadata["arguments"]);
    if (item.event !== "message" || item.role !== "user" || typeof id !== "string") continue;
    answers.set(id, { answer: textOf(item), ...(edited === null ? {} : { edited }) });
  }
  known.set(items, answers);
  return answers;
}

/** The answer to an approval. `reason` is "" if none was given. */
export type Decision =
  | { readonly kind: "approved" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "words"; readonly words: string };

export function decisionIn(answer: string): Decision {
  const decision = decisionOf(answer);
  if (decision === "approve") return { kind: "approved" };
  if (decision === "refuse")
    return { kind: "refused", reason: answer.replace(/^\s*\S+?[\s,.:;，。：；]+|^\s*\S+$/, "").trim() };
  return { kind: "words", words: answer };
}

/** Formats a refusal as the message that is sent. */
export function refusalWith(reason: string): string {
  return reason.trim() === "" ? "refuse" : `refuse: ${reason.trim()}`;
}
