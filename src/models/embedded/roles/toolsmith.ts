// The toolsmith: splits a request into sub-tasks, chooses or writes the tool of each, and words the results. The
// offered tool tells which of these a call is for.

import * as z from "zod";
import { languageOf } from "../../../protocol/words/language.ts";
import { titleOf } from "../../../protocol/words/text.ts";
import * as phrases from "../phrases.ts";
import { readTalk } from "../small-talk.ts";
import { earlierRequests, jsonAfter, listAfter, resultsSoFar, type Talk } from "../talk.ts";
import { fittingFor, MAX_CHARS } from "../toolsmith/catalogue.ts";
import { chosen } from "../toolsmith/fit.ts";
import { subtasksOf } from "../toolsmith/pieces.ts";
import { wordedLine } from "../toolsmith/wording.ts";
import { wordsOf } from "../toolsmith/words.ts";
import type { Answer, Tool } from "../wire.ts";

/** The maximum number of sub-tasks per request. */
const MAX_SUBTASKS = 10;

export function toolsmith(talk: Talk, tools: readonly Tool[]): Answer {
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  if (offers("plan_subtasks")) return plan(talk);
  if (offers("choose_tool")) return choose(talk);
  if (offers("write_tool")) return write(talk);
  return word(talk);
}

function plan(talk: Talk): Answer {
  const { request, now, timezone } = talk;
  const language = languageOf(request, talk.language);
  const kind = readTalk(request);
  if (kind === "who") return text(phrases.whoAmI(language));
  if (kind === "what") return text(phrases.whatToolsmithDoes(language));
  if (kind === "last_question") return text(phrases.lastQuestion(earlierRequests(talk)[0], language));
  if (kind !== null) return text(phrases.smallTalk(kind, language));
  const pieces = subtasksOf(request, resultsSoFar(talk), { now, timezone });
  if (pieces.some((piece) => piece.text.length > MAX_CHARS)) return text(phrases.tooLong(language));
  if (pieces.every(({ fitting }) => fitting === null)) return text(phrases.needsModel(titleOf(request), language));
  if (pieces.length > MAX_SUBTASKS) return text(phrases.tooMany(MAX_SUBTASKS, language));
  const tasks = pieces.map((piece, i) => ({
    id: String(i + 1),
    description: piece.text,
    category: piece.fitting?.template.category ?? "other",
  }));
  return call("plan_subtasks", { tasks });
}

const subtaskSchema = z.object({ description: z.string() });
const keptSchema = z.object({
  name: z.string(),
  description: z.string().catch(""),
  parameters: z.record(z.string(), z.unknown()).catch({}),
});

function choose(talk: Talk): Answer {
  const { fitting, language } = reading(talk);
  const tools = listAfter("Tools that exist:", talk.message).flatMap((entry) => {
    const tool = keptSchema.safeParse(entry);
    return tool.success ? [tool.data] : [];
  });
  // If the chosen tool failed, write a new one.
  const found = talk.outcomes.length > 0 ? null : chosen(fitting, tools);
  if (found === null) return call("choose_tool", { use_existing: false, reason: phrases.noToolFits(language) });
  const { tool, args } = found;
  const reason = phrases.toolFits(tool.name, language);
  return call("choose_tool", { use_existing: true, tool_name: tool.name, arguments: args, reason });
}

function write(talk: Talk): Answer {
  const { fitting, language, description } = reading(talk);
  const last = talk.outcomes.at(-1);
  const next = fitting[talk.outcomes.length];
  if (last !== undefined && (next === undefined || isOwnRefusal(last.call.arguments, last.content))) {
    return text(phrases.toolFailed(reasonIn(last.content), language));
  }
  if (next === undefined) return text(phrases.needsModel(titleOf(description), language));
  const { name, category, parameters, returns, code, description: about } = next.template;
  return call("write_tool", { name, description: about, category, parameters, returns, code, arguments: next.args });
}

/** Returns an error message without its position. */
function reasonIn(problem: string): string {
  return problem.replace(/^Running it failed\. (?:\w*Error: )?/, "").replace(/ \(line \d+\)$/, "");
}

/** True if the code itself rejected the values: another tool would reject them too. */
function isOwnRefusal(written: string, problem: string): boolean {
  const reasons = [...written.matchAll(/new Error\((?:[\w. ]+ \+ )?\\"([^"\\]+)/g)].map(([, reason = ""]) =>
    reason.trim(),
  );
  return reasons.some((reason) => reason !== "" && problem.includes(reason));
}

function reading(talk: Talk) {
  const parsed = subtaskSchema.safeParse(jsonAfter("Sub-task:", talk.message));
  const description = parsed.success ? parsed.data.description : talk.request;
  const { now, timezone } = talk;
  const words = wordsOf(
    { text: description.slice(0, MAX_CHARS), results: resultsSoFar(talk), now, timezone },
    talk.language,
  );
  const fitting = description.length > MAX_CHARS ? [] : fittingFor(words);
  return { fitting, language: words.language, description };
}

const lineSchema = z.union([
  z.object({ description: z.string().catch(""), error: z.string() }),
  z.object({ description: z.string().catch(""), result: z.unknown().transform(asText) }),
]);

function word(talk: Talk): Answer {
  const request = jsonAfter("Request:", talk.message);
  const language = languageOf(typeof request === "string" ? request : talk.request, talk.language);
  const lines = listAfter("Results:", talk.message).flatMap((entry) => {
    const line = lineSchema.safeParse(entry);
    return line.success ? [wordedLine(line.data, language, talk)] : [];
  });
  return text(lines.length === 0 ? phrases.noResults(language) : lines.join("\n"));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function text(words: string): Answer {
  return { kind: "text", text: words };
}

function call(name: string, args: Readonly<Record<string, unknown>>): Answer {
  return { kind: "calls", calls: [{ name, arguments: args }] };
}
