// Formats single items of a conversation as Markdown.

import { textOf, type Item } from "../../../protocol/items.ts";
import { jsonIn } from "../../../protocol/json-text.ts";
import { approvalSchema } from "../../../protocol/question.ts";
import { RESULT, runResultSchema } from "../../../protocol/recurring.ts";
import type { Say } from "../../language.ts";
import { fieldsOf, stringIn, type Fields } from "../../steps/values.ts";
import { keepLines } from "./lines.ts";
import type { WORDS } from "./words.ts";

type SayHere = Say<keyof typeof WORDS.en>;
export type Texts = { readonly say: SayHere; readonly itemText: (item: Item) => string };

/** The fields of a schedule run's result that are exported. */
const runSchema = runResultSchema.pick({ result: true, error: true });

/**
 * Returns a formatter of items. It returns "" for items that are represented elsewhere or are internal (routing,
 * planning).
 */
export function createItemText(say: SayHere): (item: Item) => string {
  return (item) => {
    switch (item.event) {
      case "message_chunk":
        return `**${item.agent_name ?? item.role}**\n\n${saidIn(item)}`;
      case "message":
        return item.role === "user"
          ? `**${say("answered")}**\n\n${saidIn(item)}`
          : `*${item.agent_name ?? item.role}: ${saidIn(item)}*`;
      case "reasoning":
        return saidIn(item).trim() === "" ? "" : details(say("reasoning"), saidIn(item));
      case "tool_call_started":
      case "tool_call_completed":
        return toolText(item, say);
      case "component_generator":
        return componentText(item, say);
      case "plan_require_user_input":
      case "task_waiting":
        return questionText(item, say);
      case "plan_failed":
      case "system_failed":
      case "task_failed":
        return quoted(`**${say("failure")}**: ${saidIn(item)}`);
      case "task_cancelled":
        return quoted(`**${say("cancelled")}**: ${saidIn(item)}`);
      case "verification_completed":
        return `**${say("verification")}**: ${stringOf(item.payload["summary"])}`;
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

const HANDING_OVER: ReadonlySet<unknown> = new Set(["connect_agent", "generate_execution_plan"]);

function toolText({ payload }: Item, say: SayHere): string {
  const { tool_name, tool_arguments, tool_result } = payload;
  if (HANDING_OVER.has(tool_name)) return "";
  const parts = [];
  if (tool_arguments !== undefined) parts.push(`${say("arguments")}:`, fenced(tool_arguments));
  if (tool_result !== undefined) parts.push(`${say("result")}:`, fenced(contentsOf(tool_result)));
  return details(`${say("toolCall")}: ${stringOf(tool_name)}`, parts.join("\n\n"));
}

function componentText({ payload }: Item, say: SayHere): string {
  if (payload["component_type"] === "subagent_conversation") return "";
  const brought =
    payload["component_type"] === RESULT ? runSchema.safeParse(parsedOf(payload["content"])).data : undefined;
  if (brought !== undefined) return keepLines(brought.result ?? quoted(brought.error ?? ""));
  const meta = fieldsOf(fieldsOf(fieldsOf(parsedOf(payload["content"]))?.["page"])?.["meta"]);
  if (payload["component_type"] === "page" && meta !== null) return pageText(meta, say);
  return details(stringOf(payload["component_type"]), fenced(payload["content"]));
}

/** Only title and summary: the page is stored separately, and its JSON is not readable. */
function pageText(meta: Fields, say: SayHere): string {
  const line = (key: string) => stringIn(meta, key).replaceAll(/\s+/g, " ").trim();
  return `**${say("page")}: ${line("pageTitle")}**\n\n${line("summary")}`.trim();
}

function questionText(item: Item, say: SayHere): string {
  const { options, approval } = item.payload;
  const parts = [`**${say("question")}** (${item.agent_name ?? item.role}): ${saidIn(item)}`];
  const asked = approvalSchema.safeParse(approval).data;
  if (asked !== undefined) parts.push(`${say("approval", { tool: asked.tool })}:`, fenced(asked.arguments));
  else if (Array.isArray(options)) parts.push(options.map((option) => `- ${String(option)}`).join("\n"));
  return parts.join("\n\n");
}

/**
 * Extracts the contents of a tool result, a JSON array of objects with `content`; other results are returned unchanged.
 */
function contentsOf(result: unknown): unknown {
  const parsed = parsedOf(result);
  const isList =
    Array.isArray(parsed) && parsed.every((part) => typeof part === "object" && part !== null && "content" in part);
  if (!isList) return result;
  return parsed.length === 1 ? (parsed[0] as { content: unknown }).content : parsed;
}

/** Collapsible where the renderer supports HTML, readable where it does not. */
function details(summary: string, inside: string): string {
  const shown = summary.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<details>\n<summary>${shown}</summary>\n\n${inside}\n\n</details>`;
}

/** Formats a value as a fenced code block. The fence is longer than any run of backticks in the text. */
export function fenced(value: unknown): string {
  const parsed = parsedOf(value);
  const isJson = typeof parsed === "object" && parsed !== null;
  const text = isJson ? JSON.stringify(parsed, null, 2) : stringOf(value);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${isJson ? "json" : ""}\n${text}\n${fence}`;
}

function saidIn(item: Item): string {
  return keepLines(textOf(item));
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

function parsedOf(value: unknown): unknown {
  return typeof value === "string" ? jsonIn(value) : value;
}
