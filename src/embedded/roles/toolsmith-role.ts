// The toolsmith: splits a request into sub-tasks, chooses or writes the tool of each, and words the results. The
// offered tool tells which of these a call is for.

import * as z from "zod";
import { detectLanguage } from "../../language/detect-language.ts";
import { createTitle } from "../../language/text-spans.ts";
import * as phrases from "../embedded-messages.ts";
import { detectSmallTalk } from "../small-talk.ts";
import {
  listEarlierRequests,
  parseJsonAfter,
  parseListAfter,
  listEarlierResults,
  type PromptContext,
} from "../prompt-context.ts";
import { findFittingTemplates, MAX_SUBTASK_LENGTH } from "../toolsmith/template-catalogue.ts";
import { chooseExistingTool } from "../toolsmith/choose-existing-tool.ts";
import { splitSubtasks } from "../toolsmith/split-subtasks.ts";
import { formatResultLine } from "../toolsmith/format-results.ts";
import { parseSubtaskWords } from "../toolsmith/subtask-words.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";

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
  const { request, now, timezone } = talk;
  const language = detectLanguage(request, talk.language);
  const kind = detectSmallTalk(request);
  if (kind === "who") return createTextAnswer(phrases.formatIdentity(language));
  if (kind === "what") return createTextAnswer(phrases.formatToolsmithCapabilities(language));
  if (kind === "last_question")
    return createTextAnswer(phrases.formatLastQuestion(listEarlierRequests(talk)[0], language));
  if (kind !== null) return createTextAnswer(phrases.formatSmallTalk(kind, language));
  const pieces = splitSubtasks(request, listEarlierResults(talk), { now, timezone });
  if (pieces.some((piece) => piece.text.length > MAX_SUBTASK_LENGTH))
    return createTextAnswer(phrases.formatTooLong(language));
  if (pieces.every(({ fitting }) => fitting === null))
    return createTextAnswer(phrases.formatNeedsModel(createTitle(request), language));
  if (pieces.length > MAX_SUBTASKS) return createTextAnswer(phrases.formatTooManyTasks(MAX_SUBTASKS, language));
  const tasks = pieces.map((piece, i) => ({
    id: String(i + 1),
    description: piece.text,
    category: piece.fitting?.template.category ?? "other",
  }));
  return createCallAnswer("plan_subtasks", { tasks });
}

const subtaskSchema = z.object({ description: z.string() });
const keptSchema = z.object({
  name: z.string(),
  description: z.string().catch(""),
  parameters: z.record(z.string(), z.unknown()).catch({}),
});

function chooseTool(talk: PromptContext): EmbeddedAnswer {
  const { fitting, language } = parseSubtask(talk);
  const tools = parseListAfter("Tools that exist:", talk.message).flatMap((entry) => {
    const tool = keptSchema.safeParse(entry);
    return tool.success ? [tool.data] : [];
  });
  // If the chosen tool failed, write a new one.
  const found = talk.outcomes.length > 0 ? null : chooseExistingTool(fitting, tools);
  if (found === null)
    return createCallAnswer("choose_tool", { use_existing: false, reason: phrases.formatNoToolFits(language) });
  const { tool, args } = found;
  const reason = phrases.formatToolFits(tool.name, language);
  return createCallAnswer("choose_tool", { use_existing: true, tool_name: tool.name, arguments: args, reason });
}

function writeTool(talk: PromptContext): EmbeddedAnswer {
  const { fitting, language, description } = parseSubtask(talk);
  const last = talk.outcomes.at(-1);
  const next = fitting[talk.outcomes.length];
  if (last !== undefined && (next === undefined || isOwnRefusal(last.call.arguments, last.content))) {
    return createTextAnswer(phrases.formatToolFailed(extractReason(last.content), language));
  }
  if (next === undefined) return createTextAnswer(phrases.formatNeedsModel(createTitle(description), language));
  const { name, category, parameters, returns, code, description: about } = next.template;
  return createCallAnswer("write_tool", {
    name,
    description: about,
    category,
    parameters,
    returns,
    code,
    arguments: next.args,
  });
}

/** Returns an error message without its position. */
function extractReason(problem: string): string {
  return problem.replace(/^Running it failed\. (?:\w*Error: )?/, "").replace(/ \(line \d+\)$/, "");
}

/** True if the code itself rejected the values: another tool would reject them too. */
function isOwnRefusal(written: string, problem: string): boolean {
  const reasons = [...written.matchAll(/new Error\((?:[\w. ]+ \+ )?\\"([^"\\]+)/g)].map(([, reason = ""]) =>
    reason.trim(),
  );
  return reasons.some((reason) => reason !== "" && problem.includes(reason));
}

function parseSubtask(talk: PromptContext) {
  const parsed = subtaskSchema.safeParse(parseJsonAfter("Sub-task:", talk.message));
  const description = parsed.success ? parsed.data.description : talk.request;
  const { now, timezone } = talk;
  const words = parseSubtaskWords(
    { text: description.slice(0, MAX_SUBTASK_LENGTH), results: listEarlierResults(talk), now, timezone },
    talk.language,
  );
  const fitting = description.length > MAX_SUBTASK_LENGTH ? [] : findFittingTemplates(words);
  return { fitting, language: words.language, description };
}

const lineSchema = z.union([
  z.object({ description: z.string().catch(""), error: z.string() }),
  z.object({ description: z.string().catch(""), result: z.unknown().transform(toResultText) }),
]);

function wordResults(talk: PromptContext): EmbeddedAnswer {
  const request = parseJsonAfter("Request:", talk.message);
  const language = detectLanguage(typeof request === "string" ? request : talk.request, talk.language);
  const lines = parseListAfter("Results:", talk.message).flatMap((entry) => {
    const line = lineSchema.safeParse(entry);
    return line.success ? [formatResultLine(line.data, language, talk)] : [];
  });
  return createTextAnswer(lines.length === 0 ? phrases.formatNoResults(language) : lines.join("\n"));
}

function toResultText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function createTextAnswer(words: string): EmbeddedAnswer {
  return { kind: "text", text: words };
}

function createCallAnswer(name: string, args: Readonly<Record<string, unknown>>): EmbeddedAnswer {
  return { kind: "calls", calls: [{ name, arguments: args }] };
}
