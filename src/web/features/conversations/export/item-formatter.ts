// Formats single items of a conversation as Markdown.

import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { tryParseJson } from "../../../../lib/parse-json.ts";
import { approvalSchema } from "../../../../protocol/wire/question.ts";
import { SCHEDULE_RESULT_COMPONENT, scheduleRunResultSchema } from "../../../../protocol/schedules/schedule.ts";
import type { Translate } from "../../../session/language.ts";
import { toFields, getStringField, type JsonFields } from "../state/step-values.ts";

export type ExportFormatters = { readonly t: Translate<"export">; readonly formatItem: (item: Item) => string };

/** The fields of a schedule run's result that are exported. */
const scheduleRunSchema = scheduleRunResultSchema.pick({ result: true, error: true });

/**
 * Returns a formatter of items. It returns "" for items that are represented elsewhere or are internal (routing,
 * planning).
 */
export function createItemFormatter(t: Translate<"export">): (item: Item) => string {
  return (item) => {
    switch (item.event) {
      case "message_chunk":
        return `**${item.agent_name ?? item.role}**\n\n${formatItemText(item)}`;
      case "message":
        return item.role === "user"
          ? `**${t("answered")}**\n\n${formatItemText(item)}`
          : `*${item.agent_name ?? item.role}: ${formatItemText(item)}*`;
      case "reasoning":
        return formatItemText(item).trim() === "" ? "" : formatDetails(t("reasoning"), formatItemText(item));
      case "tool_call_started":
      case "tool_call_completed":
        return formatToolCall(item, t);
      case "component_generator":
        return formatComponent(item, t);
      case "plan_require_user_input":
      case "task_waiting":
        return formatQuestion(item, t);
      case "plan_failed":
      case "system_failed":
      case "task_failed":
        return quoteLines(`**${t("failure")}** ${formatItemText(item)}`);
      case "task_cancelled":
        return quoteLines(`**${t("cancelled")}** ${formatItemText(item)}`);
      case "verification_completed":
        return `**${t("verification")}** ${toText(item.payload["summary"])}`;
      case "plan_created":
      case "conversation_started":
      case "thread_started":
      case "triage_completed":
      case "done":
      case "task_started":
      case "task_completed":
      case "task_retrying":
      case "reasoning_started":
      case "reasoning_completed":
        return "";
    }
  };
}

const HANDOFF_TOOLS: ReadonlySet<unknown> = new Set(["connect_agent", "generate_execution_plan"]);

function formatToolCall({ payload }: Item, t: Translate<"export">): string {
  const { tool_name, tool_arguments, tool_result } = payload;
  if (HANDOFF_TOOLS.has(tool_name)) return "";
  const parts = [];
  if (tool_arguments !== undefined) parts.push(t("arguments"), formatFencedBlock(tool_arguments));
  if (tool_result !== undefined) parts.push(t("result"), formatFencedBlock(extractToolContents(tool_result)));
  return formatDetails(t("toolCall", { name: toText(tool_name) }), parts.join("\n\n"));
}

function formatComponent({ payload }: Item, t: Translate<"export">): string {
  if (payload["component_type"] === "subagent_conversation") return "";
  const runResult =
    payload["component_type"] === SCHEDULE_RESULT_COMPONENT
      ? scheduleRunSchema.safeParse(parseIfText(payload["content"])).data
      : undefined;
  if (runResult !== undefined) return preserveLineBreaks(runResult.result ?? quoteLines(runResult.error ?? ""));
  const meta = toFields(toFields(toFields(parseIfText(payload["content"]))?.["page"])?.["meta"]);
  if (payload["component_type"] === "page" && meta !== null) return formatPage(meta, t);
  return formatDetails(toText(payload["component_type"]), formatFencedBlock(payload["content"]));
}

/** Only title and summary: the page is stored separately, and its JSON is not readable. */
function formatPage(meta: JsonFields, t: Translate<"export">): string {
  const line = (key: string) => getStringField(meta, key).replaceAll(/\s+/g, " ").trim();
  return `**${t("page", { title: line("pageTitle") })}**\n\n${line("summary")}`.trim();
}

function formatQuestion(item: Item, t: Translate<"export">): string {
  const { options, approval } = item.payload;
  const parts = [`**${t("question", { name: item.agent_name ?? item.role })}** ${formatItemText(item)}`];
  const approvalRequest = approvalSchema.safeParse(approval).data;
  if (approvalRequest !== undefined)
    parts.push(t("approval", { tool: approvalRequest.tool }), formatFencedBlock(approvalRequest.arguments));
  else if (Array.isArray(options)) parts.push(options.map((option) => `- ${String(option)}`).join("\n"));
  return parts.join("\n\n");
}

/**
 * Extracts the contents of a tool result, a JSON array of objects with `content`; other results are returned unchanged.
 */
function extractToolContents(result: unknown): unknown {
  const parsed = parseIfText(result);
  const isList =
    Array.isArray(parsed) && parsed.every((part) => typeof part === "object" && part !== null && "content" in part);
  if (!isList) return result;
  return parsed.length === 1 ? (parsed[0] as { content: unknown }).content : parsed;
}

/** Collapsible where the renderer supports HTML, readable where it does not. */
function formatDetails(summary: string, inside: string): string {
  const shown = summary.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<details>\n<summary>${shown}</summary>\n\n${inside}\n\n</details>`;
}

/**
 * Formats a value as a fenced code block. An object or array, also as JSON text, is indented and marked `json`. The
 * fence is longer than any run of backticks in the text.
 */
export function formatFencedBlock(value: unknown): string {
  const parsed = parseIfText(value);
  const isJson = typeof parsed === "object" && parsed !== null;
  const text = isJson ? JSON.stringify(parsed, null, 2) : toText(value);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${isJson ? "json" : ""}\n${text}\n${fence}`;
}

function formatItemText(item: Item): string {
  return preserveLineBreaks(getItemText(item));
}

function quoteLines(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

function parseIfText(value: unknown): unknown {
  return typeof value === "string" ? tryParseJson(value) : value;
}

// Preserves line breaks in Markdown, which would otherwise join consecutive lines into one paragraph.

/** Lines that start a block and therefore end a paragraph by themselves. */
const BLOCK_START = /^\s*(?:(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}(?:\s|$)|\||=+\s*$|-+\s*$|`{3}|~{3}|\${2})/;
const FENCE_MARKER = /^[\s>]*(?:(`{3,}|~{3,})|(\${2,})[^$]*$)/;

/**
 * Appends a hard line break (two spaces) to each line that the next line would continue. Code, formulas, tables and
 * headings stay unchanged.
 */
export function preserveLineBreaks(text: string): string {
  const lines = text.split(/\r?\n/);
  let fence: string | null = null;
  return lines
    .map((line, i) => {
      const mark = FENCE_MARKER.exec(line)
        ?.slice(1)
        .find((found) => found !== undefined);
      const isInside = fence !== null;
      if (mark !== undefined && fence === null) fence = mark;
      else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
      const isOfText = !isInside && mark === undefined && !/^(\s*\||\t| {4}|\s*#{1,6}\s)/.test(line);
      const next = lines[i + 1] ?? "";
      const isFollowed = line.trim() !== "" && next.trim() !== "" && !BLOCK_START.test(next);
      return isOfText && isFollowed && !line.endsWith("\\") ? `${line.trimEnd()}  ` : line;
    })
    .join("\n");
}
