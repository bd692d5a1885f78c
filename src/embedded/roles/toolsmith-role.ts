// The toolsmith: splits a request into sub-tasks, chooses or writes the tool of each, and words the results. The
// offered tool tells which of these a call is for.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createTitle, removePolitePrefixes } from "../../language/text-spans.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";
import { formatRoleHelp } from "../format-help.ts";
import { formatLastQuestion, formatSentence, formatSmallTalk } from "../messages.ts";
import {
  listEarlierRequests,
  listEarlierResults,
  parseJsonAfter,
  parseListAfter,
  type PromptContext,
} from "../prompt-context.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { formatExpression } from "../work/read-sum.ts";
import { TOOLSMITH_ABILITIES } from "../toolsmith/toolsmith-abilities.ts";
import { MAX_SUBTASK_LENGTH, readSubtask } from "../toolsmith/read-subtask.ts";
import { splitSubtasks } from "../toolsmith/split-subtasks.ts";
import type { ValueKind, ToolTemplate } from "../toolsmith/tool-templates.ts";

/** The maximum number of sub-tasks per request. */
const MAX_SUBTASKS = 10;

export function answerAsToolsmith(talk: PromptContext, tools: readonly OfferedTool[]): EmbeddedAnswer {
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  if (offers("plan_subtasks")) return planSubtasks(talk);
  if (offers("choose_tool")) return chooseTool(talk);
  if (offers("write_tool")) return writeTool(talk);
  return wordResults(talk);
}

function planSubtasks(talk: PromptContext): EmbeddedAnswer {
  const { request } = talk;
  const language = detectLanguage(request, talk.language);
  const kind = detectSmallTalk(request);
  if (kind === "what") return createTextAnswer(formatRoleHelp(TOOLSMITH_ABILITIES, language));
  if (kind === "last_question") return createTextAnswer(formatLastQuestion(listEarlierRequests(talk)[0], language));
  if (kind !== null) return createTextAnswer(formatSmallTalk(kind, language));
  const pieces = splitSubtasks(request, listEarlierResults(talk));
  if (pieces.some(({ text }) => text.length > MAX_SUBTASK_LENGTH))
    return createTextAnswer(formatSentence("tooLong", language));
  if (pieces.every(({ fitting }) => fitting === null)) return createDecline(request, language);
  if (pieces.length > MAX_SUBTASKS)
    return createTextAnswer(formatSentence("tooManyParts", language, { most: String(MAX_SUBTASKS) }));
  const tasks = pieces.map(({ text, fitting }, i) => ({
    id: String(i + 1),
    description: text,
    category: fitting?.template.category ?? "other",
  }));
  return createCallAnswer("plan_subtasks", { tasks });
}

/** No template does it. */
const createDecline = (request: string, language: Language): EmbeddedAnswer =>
  createTextAnswer(formatSentence("noTemplate", language, { what: createTitle(request) }));

const subtaskSchema = z.object({ description: z.string() });
const savedToolSchema = z.object({
  name: z.string(),
  parameters: z.object({ properties: z.record(z.string(), z.unknown()).catch({}) }).catch({ properties: {} }),
});

function readPrompt(talk: PromptContext) {
  const description =
    subtaskSchema.safeParse(parseJsonAfter("Sub-task:", talk.message)).data?.description ?? talk.request;
  const context = { results: listEarlierResults(talk), now: talk.now, timezone: talk.timezone };
  return {
    description,
    fitting: readSubtask(description, context),
    language: detectLanguage(description, talk.language),
  };
}

/** A saved tool fits if it was written from the template of the sub-task. */
function chooseTool(talk: PromptContext): EmbeddedAnswer {
  const { fitting, language } = readPrompt(talk);
  const saved = parseListAfter("Tools that exist:", talk.message).map((entry) => savedToolSchema.safeParse(entry).data);
  const names = (parameters: object) => Object.keys(parameters).toSorted().join();
  const found = saved.find(
    (tool) =>
      tool?.name === fitting?.template.name &&
      names(tool?.parameters.properties ?? {}) === names(fitting?.template.parameters ?? {}),
  );
  // If the chosen tool failed, a new one is written.
  if (found === undefined || fitting === null || talk.outcomes.length > 0) {
    return createCallAnswer("choose_tool", { use_existing: false, reason: formatSentence("noToolFits", language) });
  }
  const reason = formatSentence("toolFits", language, { tool: found.name });
  return createCallAnswer("choose_tool", {
    use_existing: true,
    tool_name: found.name,
    arguments: fitting.args,
    reason,
  });
}

function writeTool(talk: PromptContext): EmbeddedAnswer {
  const { fitting, language, description } = readPrompt(talk);
  const last = talk.outcomes.at(-1);
  if (last !== undefined) {
    const problem = last.content.replace(/^Running it failed\. (?:\w*Error: )?/, "").replace(/ \(line \d+\)$/, "");
    return createTextAnswer(formatSentence("toolRejected", language, { why: problem }));
  }
  if (fitting === null) return createDecline(description, language);
  const { name, category, description: about, code } = fitting.template;
  const parameters = createSchema(fitting.template);
  return createCallAnswer("write_tool", {
    name,
    category,
    description: about,
    parameters,
    code,
    arguments: fitting.args,
  });
}

function createSchema({ parameters, optional = [] }: ToolTemplate) {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, kind]) => [name, createParameterSchema(kind)]),
  );
  return { type: "object", properties, required: Object.keys(parameters).filter((name) => !optional.includes(name)) };
}

function createParameterSchema(kind: ValueKind) {
  if (typeof kind !== "string") return { enum: Object.keys(kind) };
  if (kind === "number" || kind === "integer" || kind === "year")
    return { type: kind === "number" ? "number" : "integer" };
  if (kind === "numbers") return { type: "array", items: { type: "number" }, minItems: 1 };
  if (kind === "zones") return { type: "array", items: { type: "string" }, minItems: 1 };
  const formats: Readonly<Partial<Record<string, string>>> = {
    date: "YYYY-MM-DD",
    month: "YYYY-MM",
    timezone: "IANA time zone 时区",
  };
  return { type: "string", description: formats[kind] ?? "Text 文本" };
}

const lineSchema = z.object({
  description: z.string().catch(""),
  error: z.string().optional(),
  result: z.unknown().optional(),
});

/** Words each result in a line of its own, unchanged. */
function wordResults(talk: PromptContext): EmbeddedAnswer {
  const request = parseJsonAfter("Request:", talk.message);
  const language = detectLanguage(typeof request === "string" ? request : talk.request, talk.language);
  const lines = parseListAfter("Results:", talk.message).flatMap((entry) => {
    const line = lineSchema.safeParse(entry).data;
    return line === undefined ? [] : [formatLine(line, talk, language)];
  });
  return createTextAnswer(lines.length === 0 ? formatSentence("noResults", language) : lines.join("\n"));
}

const ASKING =
  /^(?:(?:tell|give|show|get)(?: me)?|find|compute|calculate|what(?:'s| is| are)|generate|check|how much is)(?: the| an?)? |^(?:告诉我|查询|查一下|计算|算一?下|求|生成|判断|检查)(?:一下)?\s*/i;

function formatLine(
  { description, result: value, error }: z.infer<typeof lineSchema>,
  talk: PromptContext,
  language: Language,
): string {
  const result = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const words = removePolitePrefixes(description.replace(/\s+/g, " ")).replace(/[\s?？。.!！:：]+$/, "");
  const bare = words.replace(ASKING, "").replace(/(?:的结果|是多少|等于多少|等于几)$/, "") || words;
  const label = `${bare.slice(0, 1).toUpperCase()}${bare.slice(1, 60)}${language === "zh" ? "：" : ": "}`;
  if (error !== undefined)
    return error.includes(description) ? error : `${label}${language === "zh" ? "失败：" : "failed: "}${error}`;
  const { expression } = readSubtask(description, { results: [], now: talk.now, timezone: talk.timezone })?.args ?? {};
  if (typeof expression === "string") return `${formatExpression(expression)} = ${result}`;
  if (result === "true") return `${label}${language === "zh" ? "是（true）" : "yes (true)"}`;
  return `${label}${result === "false" ? (language === "zh" ? "否（false）" : "no (false)") : result}`;
}

const createTextAnswer = (text: string): EmbeddedAnswer => ({ kind: "text", text });

const createCallAnswer = (name: string, args: Readonly<Record<string, unknown>>): EmbeddedAnswer => ({
  kind: "calls",
  calls: [{ name, arguments: args }],
});
