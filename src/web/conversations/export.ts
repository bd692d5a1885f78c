// Formats a conversation for export: Markdown for people, JSON for programs.

import type { Item } from "../../protocol/items.ts";
import type { Plan, Task, TaskStatus } from "../../protocol/plan.ts";
import { itemsOf, type ThreadView, type View } from "../../protocol/view.ts";
import { threadOfPart } from "../chat/part.ts";
import { formatFor } from "../format.ts";
import { sayIn, type Language } from "../language.ts";
import { createItemText, type Texts } from "./export/items.ts";
import { keepLines } from "./export/lines.ts";
import { WORDS } from "./export/words.ts";
import { WORDS as LIST } from "./words.ts";

/** Identifies the JSON format. Increment the version for every change that readers must know. */
const FORMAT = "orrery.conversation";
const VERSION = 1;

/** Formats the whole view as JSON, items in log order. Times are in ms since the epoch. */
export function jsonOf(view: View): string {
  const { conversation, threads, items, plans, pending, seq } = view;
  const whole = {
    format: FORMAT,
    version: VERSION,
    conversation,
    seq,
    threads,
    plans,
    pending,
    items: [...items.values()],
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Formats the whole conversation as Markdown; a task conversation as its one thread. */
export function markdownOf(view: View, language: Language = "en"): string {
  const say = sayIn(language, WORDS);
  const format = formatFor(language);
  const texts: Texts = { say, itemText: createItemText(say) };
  const { conversation } = view;
  const title = lineOf(conversation?.title ?? "");
  const head = [`# ${title === "" ? sayIn(language, LIST)("untitled") : title}`];
  if (conversation !== null) {
    const { created_at, updated_at } = conversation;
    head.push(`${say("created")}: ${format.moment(created_at)}  \n${say("changed")}: ${format.moment(updated_at)}`);
  }
  const part = threadOfPart(view, undefined);
  const threads = (part === undefined ? view.threads : [part]).map((thread) => threadText(view, thread, texts));
  return `${[joined(head), ...threads].join("\n\n---\n\n")}\n`;
}

function threadText(view: View, thread: ThreadView, texts: Texts): string {
  const { say, itemText } = texts;
  const plans = view.plans.filter(({ thread_id }) => thread_id === thread.thread_id);
  const taskOf = new Map(
    plans.filter(({ tasks }) => tasks.length > 1).flatMap((plan) => plan.tasks.map((task) => [task.task_id, plan])),
  );
  const items = itemsOf(view, thread.thread_id);
  const begun = items.find(({ event }) => event === "thread_started");
  const head = [`## ${say(begun?.role === "system" ? "scheduledRun" : "you")}`, keepLines(thread.query)];
  const parts = begun === undefined ? [] : head;
  for (const item of items) {
    if (item === begun) continue;
    const plan = item.event === "plan_created" ? plans.find((one) => isOf(item, one)) : undefined;
    if (plan !== undefined) parts.push(planText(plan, items, texts));
    else if (item.task_id === undefined || !taskOf.has(item.task_id)) parts.push(itemText(item));
  }
  if (thread.usage !== undefined) {
    const { tasks, model_calls: calls, input_tokens: input, output_tokens: output } = thread.usage;
    parts.push(`*${say("usage", { tasks, calls, input, output })}*`);
  }
  return joined(parts);
}

/** Formats a plan with the items of each task. The items of a single-task plan are part of the thread instead. */
function planText(plan: Plan, items: readonly Item[], { say, itemText }: Texts): string {
  const numbers = new Map(plan.tasks.map(({ task_id }, i) => [task_id, i + 1]));
  const lines = plan.tasks.map((task, i) => {
    const after = task.depends_on.flatMap((id) => numbers.get(id) ?? []);
    const order = after.length === 0 ? "" : `, ${say("dependsOn", { numbers: after.join(", ") })}`;
    return `${i + 1}. ${lineOf(task.title)} (${task.agent_name}${order}): ${say(STATUS[task.status])}`;
  });
  const parts = [`### ${say("plan")}`, lines.join("\n")];
  if (plan.tasks.length > 1) {
    for (const [i, task] of plan.tasks.entries()) {
      const own = items.filter(({ task_id }) => task_id === task.task_id).map(itemText);
      parts.push(`#### ${i + 1}. ${lineOf(task.title)}`, ...own, ...(own.length === 0 ? [resultOf(task)] : []));
    }
  }
  return joined(parts);
}

function resultOf(task: Task): string {
  return keepLines(task.result ?? task.error ?? "");
}

const STATUS = {
  pending: "pending",
  scheduled: "scheduled",
  running: "task_running",
  waiting_input: "waiting_input",
  retrying: "retrying",
  completed: "completed",
  failed: "task_failed",
  cancelled: "task_cancelled",
} as const satisfies Record<TaskStatus, keyof typeof WORDS.en>;

function isOf(item: Item, plan: Plan): boolean {
  const named = item.payload["plan"];
  return typeof named === "object" && named !== null && "plan_id" in named && named.plan_id === plan.plan_id;
}

function joined(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const MAX_NAME_CHARS = 60;

/** Returns `title yyyy-mm-dd.extension`, without characters that some file systems reject. The date is local. */
export function fileName(title: string, extension: string, at: Date): string {
  const clean = lineOf(title.replaceAll(/[\p{C}\\/:*?"<>|]/gu, " "));
  const short = [...clean]
    .slice(0, MAX_NAME_CHARS)
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${short === "" ? "conversation" : short} ${day}.${extension}`;
}
