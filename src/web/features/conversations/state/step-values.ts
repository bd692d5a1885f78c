// Parses the texts of steps: arguments and results of tools, and the content of components.

import { truncateWithEllipsis } from "../../../../lib/truncate.ts";
import type { Item } from "../../../../protocol/wire/items.ts";
import type { ThreadView, ConversationView } from "../../../../protocol/wire/view.ts";

export type StepValue =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string };

/** Parses a JSON object or array; any other text stays text. */
export function parseStepText(text: string): StepValue {
  if (!/^\s*[[{]/.test(text)) return { kind: "text", text };
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return { kind: "text", text };
  }
}

export type JsonFields = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object and not an array, otherwise null. */
export function toFields(value: unknown): JsonFields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonFields) : null;
}

/** Parses a JSON object; null if the text is anything else. */
export function parseFields(text: string): JsonFields | null {
  const content = parseStepText(text);
  return content.kind === "json" ? toFields(content.value) : null;
}

/** Returns the string in a field; "" if it is missing or not a string. */
export function getStringField(fields: JsonFields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/**
 * Parses a tool result. A JSON array of objects with `content` becomes one part per object, any other text one part.
 */
export function parseToolResult(text: string): StepValue[] {
  const whole = parseStepText(text);
  if (whole.kind === "text" || !Array.isArray(whole.value) || whole.value.length === 0) return [whole];
  const parts = whole.value.map((part: unknown) => toFields(part));
  if (!parts.every((part) => part !== null && "content" in part)) return [whole];
  return parts.map((part) => parseContent(part?.["content"]));
}

function parseContent(content: unknown): StepValue {
  return typeof content === "string" ? parseStepText(content) : { kind: "json", value: content };
}

/**
 * Returns true if a part reports a failure: a text that begins with "error", or an object with `isError` or `is_error`
 * true, `success` false, `status` "error" or "failed", or a non-empty `error`.
 */
export function isToolFailure(parts: readonly StepValue[]): boolean {
  return parts.some((part) => {
    if (part.kind === "text") return /^\s*error\b/i.test(part.text);
    const fields = toFields(part.value);
    return fields !== null && hasFailureField(fields);
  });
}

function hasFailureField(fields: JsonFields): boolean {
  if (fields["isError"] === true || fields["is_error"] === true || fields["success"] === false) return true;
  const { error, status } = fields;
  if (status === "error" || status === "failed") return true;
  return error !== undefined && error !== null && error !== false && error !== "";
}

/** Formats an identifier as words: `read_guestbook` and `readGuestbook` become "Read guestbook". "" stays "". */
export function formatIdentifier(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[_\-./]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const KEY_ARGUMENT_NAMES =
  /^(query|q|question|expression|message|text|input|prompt|url|path|name|title|city|location|command|code|id)$/i;
const MAX_SUMMARY_CHARS = 120;

/**
 * Summarizes the arguments of a call (JSON) in one line of at most 120 UTF-16 units and an ellipsis: the most
 * meaningful argument, or all strings, numbers and booleans; "" if there are none. A text that is not JSON is its own
 * summary.
 */
export function summarizeArguments(text: string): string {
  const content = parseStepText(text);
  if (content.kind === "text") return toOneLine(content.text);
  const fields = toFields(content.value);
  if (fields === null) return "";
  const simple = Object.entries(fields).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  const [first] = [...simple.filter(([name]) => KEY_ARGUMENT_NAMES.test(name)), ...simple];
  if (first === undefined) return "";
  if (simple.length === 1 || KEY_ARGUMENT_NAMES.test(first[0])) return toOneLine(String(first[1]));
  return toOneLine(simple.map(([name, value]) => `${name}: ${String(value)}`).join(", "));
}

function toOneLine(text: string): string {
  return truncateWithEllipsis(text.replaceAll(/\s+/g, " ").trim(), MAX_SUMMARY_CHARS);
}

export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

const MAX_COLUMNS = 20;

/**
 * Reads a non-empty array of flat objects as a table; null for other values and for more than `MAX_COLUMNS` columns.
 */
export function parseTable(
  value: unknown,
): { readonly columns: readonly string[]; readonly rows: readonly TableRow[] } | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const columns = new Set<string>();
  for (const row of value as unknown[]) {
    const fields = toFields(row);
    if (fields === null) return null;
    for (const [name, cell] of Object.entries(fields)) {
      if (typeof cell === "object" && cell !== null) return null;
      columns.add(name);
    }
    if (columns.size > MAX_COLUMNS) return null;
  }
  return columns.size === 0 ? null : { columns: [...columns], rows: value as TableRow[] };
}

// Determines which items can still grow.

/** Returns the id of the task of an item, without a task that of its thread, without a thread "". */
export const getItemScope = (item: Item): string => item.task_id ?? item.thread_id ?? "";

/**
 * Returns true while the item may grow: in an open thread, a text or unfinished reasoning if it is the last item of its
 * scope (`isLast`), and a tool call without a result.
 */
export function isItemLive(item: Item, isLast: boolean, isThreadOpen: boolean): boolean {
  if (!isThreadOpen) return false;
  switch (item.event) {
    case "message_chunk":
      return isLast;
    case "reasoning":
      return isLast && item.metadata["finished"] !== true;
    case "tool_call_started":
      return true;
    default:
      return false;
  }
}

// The conversation of one task. It has a parent conversation, no message and no thread events, and ends with its task.

/**
 * Builds the only thread of a task conversation from its items. Returns undefined for any other conversation or if the
 * first item has no thread, and `before` itself if id and status are unchanged.
 */
export function buildTaskThread(
  { conversation, items }: ConversationView,
  before: ThreadView | undefined,
): ThreadView | undefined {
  const [first] = items.values();
  if (conversation?.parent_id === undefined || first?.thread_id === undefined) return undefined;
  const thread_id = first.thread_id;
  const status = computeTaskThreadStatus(items.values());
  if (before?.thread_id === thread_id && before.status === status) return before;
  return { thread_id, query: conversation.title ?? "", status };
}

function computeTaskThreadStatus(items: Iterable<Item>): ThreadView["status"] {
  let status: ThreadView["status"] = "open";
  for (const item of items) {
    if (item.event === "task_failed" || item.event === "task_cancelled") return "failed";
    if (isSelfReference(item) && parseFields(String(item.payload["content"]))?.["phase"] === "end") status = "done";
  }
  return status;
}

/** Returns true for the item that announces the very conversation it is in; it is not shown. */
export function isSelfReference({ conversation_id, payload }: Item): boolean {
  if (payload["component_type"] !== "subagent_conversation") return false;
  return parseFields(String(payload["content"]))?.["conversation_id"] === conversation_id;
}
