// The toolsmith: splits a request into sub-tasks, chooses or writes the tool of each, and words the results. The
// offered tool tells which of these a call is for.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createTitle } from "../../language/text-spans.ts";
import { createCallAnswer, createTextAnswer, type EmbeddedAnswer, type OfferedTool } from "../chat-completions.ts";
import { formatRoleHelp } from "../format-help.ts";
import { formatFailure, formatSentence, formatSmallTalk } from "../messages.ts";
import { listEarlierResults, parseJsonAfter, parseListAfter, type PromptContext } from "../prompt-context.ts";
import { parsePieces } from "../request/split-request.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { canWriteTool, MAX_SUBTASK_LENGTH, PLACEHOLDERS, readSubtask } from "../toolsmith/read-subtask.ts";
import type { ToolTemplate, ValueKind } from "../toolsmith/tool-templates.ts";
import { TOOLSMITH_ABILITIES } from "../toolsmith/toolsmith-abilities.ts";
import { formatExpression } from "../work/read-sum.ts";

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
  if (kind !== null) return createTextAnswer(formatSmallTalk(kind, language));
  const pieces = parsePieces(request, canWriteTool);
  if (pieces.some(({ text }) => text.length > MAX_SUBTASK_LENGTH))
    return createTextAnswer(formatSentence("tooLong", language));
  // Work on a result is not possible before there is one.
  const hasResults = listEarlierResults(talk).length > 0;
  const fitting = pieces.map(({ text }, i) => readSubtask(text, i > 0 || hasResults ? PLACEHOLDERS : []));
  if (fitting.every((found) => found === null)) return createDecline(request, language);
  if (pieces.length > MAX_SUBTASKS)
    return createTextAnswer(formatSentence("tooManyParts", language, { most: String(MAX_SUBTASKS) }));
  const tasks = pieces.map(({ text }, i) => {
    const category = fitting[i]?.template.category ?? "other";
    return { id: String(i + 1), description: text, category };
  });
  return createCallAnswer("plan_subtasks", { tasks });
}

/** No template does it. */
const createDecline = (request: string, language: Language): EmbeddedAnswer =>
  createTextAnswer(formatSentence("noTemplate", language, { what: createTitle(request) }));

const subtaskSchema = z.object({ description: z.string() });

function readPrompt(talk: PromptContext) {
  const subtask = subtaskSchema.safeParse(parseJsonAfter("Sub-task:", talk.message)).data;
  const description = subtask?.description ?? talk.request;
  const fitting = readSubtask(description, listEarlierResults(talk), talk.timezone);
  return { description, fitting, language: detectLanguage(description, talk.language) };
}

const savedToolSchema = z.object({
  name: z.string(),
  parameters: z.object({ properties: z.record(z.string(), z.unknown()) }),
});

/** A saved tool fits if it was written from the template of the sub-task. */
function chooseTool(talk: PromptContext): EmbeddedAnswer {
  const { fitting, language } = readPrompt(talk);
  const names = (parameters: object = {}) => Object.keys(parameters).toSorted().join();
  const found = parseListAfter("Tools that exist:", talk.message)
    .flatMap((entry) => savedToolSchema.safeParse(entry).data ?? [])
    .find(
      ({ name, parameters: { properties } }) =>
        name === fitting?.template.name && names(properties) === names(fitting.template.parameters),
    );
  // If the chosen tool failed, a new one is written.
  if (found === undefined || fitting === null || talk.outcomes.length > 0)
    return createCallAnswer("choose_tool", { use_existing: false, reason: formatSentence("noToolFits", language) });
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
  const { template, args } = fitting;
  const { name, category, code, description: about } = template;
  const parameters = createSchema(template);
  return createCallAnswer("write_tool", { name, category, description: about, parameters, code, arguments: args });
}

function createSchema({ parameters }: ToolTemplate) {
  const properties = Object.entries(parameters).map(([name, kind]) => [name, createParameterSchema(kind)] as const);
  return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(parameters) };
}

function createParameterSchema(kind: ValueKind) {
  if (typeof kind !== "string") return { enum: kind };
  if (kind === "integer") return { type: "integer" };
  if (kind === "numbers" || kind === "zones")
    return { type: "array", items: { type: kind === "zones" ? "string" : "number" }, minItems: 1 };
  return { type: "string", description: "12 * (3 + 4)" };
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
  const lines = parseListAfter("Results:", talk.message)
    .flatMap((entry) => lineSchema.safeParse(entry).data ?? [])
    .map((line) => formatLine(line, language));
  return createTextAnswer(lines.length === 0 ? formatSentence("noResults", language) : lines.join("\n"));
}

function formatLine({ description, result: value, error }: z.infer<typeof lineSchema>, language: Language): string {
  const result = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const format = (reason: string) => createTitle(description) + formatSentence("why", language, { reason });
  if (error !== undefined)
    return error.includes(description) ? error : format(formatFailure("taskFailed", error, language));
  const { expression } = readSubtask(description, [])?.args ?? {};
  if (typeof expression === "string") return `${formatExpression(expression)} = ${result}`;
  if (result === "true" || result === "false") return format(formatSentence(result, language));
  return format(result);
}
