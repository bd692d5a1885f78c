// Formats a conversation for export: Markdown for people, JSON for programs.

import type { Item } from "../../../../protocol/wire/items.ts";
import type { Plan, Task, TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import { listThreadItems, type ThreadView, type ConversationView } from "../../../../protocol/wire/view.ts";
import { buildTaskThread } from "../state/step-values.ts";
import { createFormatter } from "../../../ui/format/formatter.ts";
import { getMessages, type UiLanguage, type UiMessageKey } from "../../../session/language.ts";
import { createItemFormatter, type ExportFormatters, preserveLineBreaks } from "./item-formatter.ts";

/** Identifies the JSON format. Increment the version for every change that readers must know. */
const EXPORT_FORMAT = "orrery.conversation";
const EXPORT_VERSION = 1;

/** Formats the whole view as JSON, items in log order. Times are in ms since the epoch. */
export function formatConversationJson(view: ConversationView): string {
  const { conversation, threads, items, plans, pending, seq } = view;
  const exportData = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    conversation,
    seq,
    threads,
    plans,
    pending,
    items: [...items.values()],
  };
  return `${JSON.stringify(exportData, null, 2)}\n`;
}

/**
 * Formats the whole conversation as Markdown; a task conversation as its only thread. Throws an Error if the messages
 * of `language` are not loaded.
 */
export function formatConversationMarkdown(view: ConversationView, language: UiLanguage = "en"): string {
  const t = getMessages(language, "export");
  const format = createFormatter(language);
  const texts: ExportFormatters = { t, formatItem: createItemFormatter(t) };
  const { conversation } = view;
  const title = toSingleLine(conversation?.title ?? "");
  const head = [`# ${title === "" ? getMessages(language, "conversations")("untitled") : title}`];
  if (conversation !== null) {
    const { created_at, updated_at } = conversation;
    const created = t("created", { time: format.dateTime(created_at) });
    head.push(`${created}  \n${t("updated", { time: format.dateTime(updated_at) })}`);
  }
  const part = buildTaskThread(view, undefined);
  const threads = (part === undefined ? view.threads : [part]).map((thread) => formatThread(view, thread, texts));
  return `${[joinParts(head), ...threads].join("\n\n---\n\n")}\n`;
}

function formatThread(view: ConversationView, thread: ThreadView, texts: ExportFormatters): string {
  const { t, formatItem } = texts;
  const plans = view.plans.filter(({ thread_id }) => thread_id === thread.thread_id);
  const plansByTask = new Map(
    plans.filter(({ tasks }) => tasks.length > 1).flatMap((plan) => plan.tasks.map((task) => [task.task_id, plan])),
  );
  const items = listThreadItems(view, thread.thread_id);
  const startItem = items.find(({ event }) => event === "thread_started");
  const head = [`## ${t(startItem?.role === "system" ? "scheduledRun" : "you")}`, preserveLineBreaks(thread.query)];
  const parts = startItem === undefined ? [] : head;
  for (const item of items) {
    if (item === startItem) continue;
    const plan = item.event === "plan_created" ? plans.find((one) => isItemOfPlan(item, one)) : undefined;
    if (plan !== undefined) parts.push(formatPlan(plan, items, texts));
    else if (item.task_id === undefined || !plansByTask.has(item.task_id)) parts.push(formatItem(item));
  }
  if (thread.usage !== undefined) {
    const { tasks, model_calls: calls, input_tokens: input, output_tokens: output } = thread.usage;
    parts.push(`*${t("usage", { tasks, calls, input, output })}*`);
  }
  return joinParts(parts);
}

/** Formats a plan with the items of each task. The items of a single-task plan are part of the thread instead. */
function formatPlan(plan: Plan, items: readonly Item[], { t, formatItem }: ExportFormatters): string {
  const numbers = new Map(plan.tasks.map(({ task_id }, i) => [task_id, i + 1]));
  const lines = plan.tasks.map((task, i) => {
    const after = task.depends_on.flatMap((id) => numbers.get(id) ?? []);
    const facts = { title: toSingleLine(task.title), agent: task.agent_name, status: t(STATUS_KEYS[task.status]) };
    const line = t(after.length === 0 ? "task" : "dependentTask", { ...facts, numbers: after.join(", ") });
    return `${i + 1}. ${line}`;
  });
  const parts = [`### ${t("plan")}`, lines.join("\n")];
  if (plan.tasks.length > 1) {
    for (const [i, task] of plan.tasks.entries()) {
      const own = items.filter(({ task_id }) => task_id === task.task_id).map(formatItem);
      parts.push(
        `#### ${i + 1}. ${toSingleLine(task.title)}`,
        ...own,
        ...(own.length === 0 ? [formatTaskResult(task)] : []),
      );
    }
  }
  return joinParts(parts);
}

function formatTaskResult(task: Task): string {
  return preserveLineBreaks(task.result ?? task.error ?? "");
}

const STATUS_KEYS = {
  pending: "pending",
  scheduled: "scheduled",
  running: "task_running",
  waiting_input: "waiting_input",
  retrying: "retrying",
  completed: "completed",
  failed: "task_failed",
  cancelled: "task_cancelled",
} as const satisfies Record<TaskStatus, UiMessageKey<"export">>;

function isItemOfPlan(item: Item, plan: Plan): boolean {
  const itemPlan = item.payload["plan"];
  return (
    typeof itemPlan === "object" && itemPlan !== null && "plan_id" in itemPlan && itemPlan.plan_id === plan.plan_id
  );
}

function joinParts(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function toSingleLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const MAX_FILE_NAME_CHARS = 60;

/**
 * Returns `title yyyy-mm-dd.extension` with the local date. The title is one line of at most `MAX_FILE_NAME_CHARS` code
 * points without characters that file systems reject; "conversation" if nothing remains.
 */
export function buildExportFileName(title: string, extension: string, date: Date): string {
  const clean = toSingleLine(title.replaceAll(/[\p{C}\\/:*?"<>|]/gu, " "));
  const short = [...clean]
    .slice(0, MAX_FILE_NAME_CHARS)
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${short === "" ? "conversation" : short} ${day}.${extension}`;
}
