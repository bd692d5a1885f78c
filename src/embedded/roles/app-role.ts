// A configured agent (workflow app): does one piece of work with the best tool. Its arguments come from known values
// and from the words. For a verification it only looks.

import { buildToolArguments } from "../tool-arguments.ts";
import { findKnownValue, parseKnownValues, findLabelledValue, type KnownValues } from "../known-values.ts";
import { splitIdentifier } from "../idea-glossary.ts";
import { buildProfile, scoreProfiles, sharesIdeaOrWord } from "../idea-matching.ts";
import { isPersonName, findCapitalisedName } from "../subject-values.ts";
import { detectParameterKind, listParameters, type ToolParameter } from "../tool-parameters.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import type { CallOutcome, PromptContext } from "../prompt-context.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";

/** The tool by which the agent reports that it cannot do the work. */
const REPORT = "report_failure";

const VERIFYING = "verify_task_completion";

/** True for configured agents: they have the report tool or are asked to verify. */
export function isAppRequest(talk: PromptContext, tools: readonly OfferedTool[]): boolean {
  return tools.some(({ name }) => name === REPORT) || parseKnownValues(talk.system).get("action") === VERIFYING;
}

export function answerAsApp(talk: PromptContext, offered: readonly OfferedTool[]): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const facts = parseKnownValues(talk.system);
  const isVerifying = facts.get("action") === VERIFYING;
  const last = talk.outcomes.at(-1);
  if (last !== undefined) return concludeWork(last, isVerifying, language, offered);
  const tools = offered.filter(({ name }) => name !== REPORT);
  const name = facts.get("task_name");
  const { tool, score } = findTool(isVerifying && typeof name === "string" ? name : talk.request, tools);
  if (tool === undefined || (score <= 0 && !isVerifying))
    return reportFailure(offered, isVerifying, APP_MESSAGES.noTool[language]);
  const filled = fillArguments(tool, talk, facts, isVerifying);
  // A tool that neither fits the words nor gets any argument would look at something unrelated.
  const isBlind = score <= 0 && "arguments" in filled && Object.keys(filled.arguments).length === 0;
  if (isBlind) return reportFailure(offered, isVerifying, APP_MESSAGES.noTool[language]);
  if ("missing" in filled)
    return reportFailure(offered, isVerifying, APP_MESSAGES.missing[language](tool.name, filled.missing));
  return { kind: "calls", calls: [{ name: tool.name, arguments: filled.arguments }] };
}

/** A value that a workflow inserted into the prompt; it is data. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/** Returns the named tool, or the one whose description fits best. */
function findTool(
  asked: string,
  tools: readonly OfferedTool[],
): { readonly tool?: OfferedTool; readonly score: number } {
  const request = asked.replaceAll(QUOTED, " ");
  const words = new Set(request.split(/[^\w-]+/));
  const named = tools.find(({ name }) => words.has(name));
  if (named !== undefined) return { tool: named, score: 1 };
  const profiles = tools.map(({ name, description }) =>
    buildProfile([
      { text: splitIdentifier(name), weight: 1.3 },
      { text: description, weight: 1 },
    ]),
  );
  const fits = scoreProfiles(request, profiles);
  const suits = (tool: OfferedTool): boolean => isReadTool(tool) === LOOKS.test(request);
  const [best, next] = tools
    .map((tool, i) => ({ tool, score: fits[i] ?? 0, profile: profiles[i] }))
    .toSorted((a, b) => b.score - a.score || Number(suits(b.tool)) - Number(suits(a.tool)));
  if (best === undefined || best.score > 0) return best ?? { score: 0 };
  // Accept the only candidate if at least one word speaks for it.
  const isOnly = next === undefined || next.score < best.score || !suits(next.tool);
  const isMeant =
    best.profile !== undefined && (sharesIdeaOrWord(request, best.profile) || hasToolAddress(request, best.tool));
  return isOnly && isMeant && suits(best.tool) ? { tool: best.tool, score: 1 } : best;
}

const LOOKS = /\b(?:check|look up|find out|was|were|has|have|does|did|whether|status of)\b|查询|查看|检查|是否/i;

function isReadTool({ name }: OfferedTool): boolean {
  return /^(?:check|look|query|find|get|list|search|read|show|count)/i.test(name);
}

/** True if the text contains an address for the tool to write to. */
function hasToolAddress(text: string, { parameters }: OfferedTool): boolean {
  return EMAIL.test(text) && listParameters(parameters).some((one) => one.isRequired && isAddressParameter(one));
}

function isAddressParameter(parameter: ToolParameter): boolean {
  const { name, schema } = parameter;
  return detectParameterKind(parameter) === "email" || schema["format"] === "email" || /^(?:to|recipient)$/.test(name);
}

type FilledArguments = { readonly arguments: Readonly<Record<string, unknown>> } | { readonly missing: string };

function fillArguments(
  tool: OfferedTool,
  talk: PromptContext,
  facts: KnownValues,
  isVerifying: boolean,
): FilledArguments {
  const values: Record<string, unknown> = {};
  for (const parameter of listParameters(tool.parameters)) {
    const value =
      findKnownArgument(parameter, talk, facts, isVerifying) ??
      (isVerifying ? undefined : guessArgument(parameter, talk));
    if (value !== undefined) values[parameter.name] = value;
    else if (parameter.isRequired) return { missing: parameter.name };
  }
  return { arguments: values };
}

function findKnownArgument(
  parameter: ToolParameter,
  talk: PromptContext,
  facts: KnownValues,
  isVerifying: boolean,
): unknown {
  const { name, schema } = parameter;
  const said = isVerifying ? undefined : findLabelledValue(talk.request, name);
  const fact = findKnownValue(name, facts);
  const known = fact === undefined ? said : (findMeantValue(said, facts) ?? fact);
  if (known !== undefined) return convertToType(known, schema["type"]);
  return isAddressParameter(parameter) ? findEmail(talk.request, facts) : undefined;
}

/** Returns the known value that the labelled words begin with. */
function findMeantValue(said: string | undefined, facts: KnownValues): unknown {
  const begins = (value: unknown): boolean => {
    const text = String(value);
    return text !== "" && said?.startsWith(text) === true && !/^[\w-]/.test(said.slice(text.length));
  };
  return [...facts.values()].filter(begins).toSorted((a, b) => String(b).length - String(a).length)[0];
}

/** Guesses an argument from the words. Not used for verification, which needs known values. */
function guessArgument(parameter: ToolParameter, talk: PromptContext): unknown {
  const { name, isRequired, schema } = parameter;
  if (!isRequired) return undefined;
  if (/subject|title/.test(name)) return createSubjectLine(talk.request);
  const person = isPersonName(name) ? findCapitalisedName(talk.request) : undefined;
  if (person !== undefined) return person;
  const one = { type: "object", properties: { [name]: schema }, required: [name] };
  const situation = { text: talk.request, results: [], now: talk.now, timezone: talk.timezone };
  const read = buildToolArguments(one, situation)?.[0]?.[name];
  return read ?? (detectParameterKind(parameter) === "text" ? talk.request : undefined);
}

function convertToType(value: unknown, type: unknown): unknown {
  if (type === "string") return String(value);
  const number = Number(value);
  if ((type === "number" || type === "integer") && String(value).trim() !== "" && !Number.isNaN(number)) return number;
  return value;
}

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;

function findEmail(text: string, facts: KnownValues): string | undefined {
  const known = [...facts.values()].find((value) => typeof value === "string" && EMAIL.test(value));
  return EMAIL.exec(text)?.[0] ?? (known === undefined ? undefined : EMAIL.exec(String(known))?.[0]);
}

function createSubjectLine(request: string): string {
  const [first = request] = request.split(/[\n。！？]|[.!?](?=\s|$)/, 1);
  return [...first].slice(0, 60).join("");
}

function reportFailure(offered: readonly OfferedTool[], isVerifying: boolean, reason: string): EmbeddedAnswer {
  const canReport = offered.some(({ name }) => name === REPORT);
  if (canReport && !isVerifying) return { kind: "calls", calls: [{ name: REPORT, arguments: { reason } }] };
  return { kind: "text", text: reason };
}

function concludeWork(
  last: CallOutcome,
  isVerifying: boolean,
  language: Language,
  offered: readonly OfferedTool[],
): EmbeddedAnswer {
  const { call, content } = last;
  const isWell = !isNegativeResult(content);
  const told = `${call.name}: ${content.slice(0, 500)}`;
  if (!isVerifying && FAILED.test(content)) return reportFailure(offered, isVerifying, told);
  if (!isVerifying) return { kind: "text", text: isWell ? APP_MESSAGES.done[language](told) : told };
  return { kind: "text", text: `${told}\n${formatVerdict(isWell, language)}` };
}

/** Returns the work to verify with the original query; null for any other request. */
export function getWorkToVerify({ system }: PromptContext): { readonly query: string; readonly result: string } | null {
  const facts = parseKnownValues(system);
  const [query, result] = [facts.get("task_query"), facts.get("task_result")];
  const isAsked = facts.get("action") === VERIFYING && typeof query === "string" && typeof result === "string";
  return isAsked ? { query, result } : null;
}

export function formatVerdict(isWell: boolean, language: Language): string {
  return (isWell ? APP_MESSAGES.verified : APP_MESSAGES.notVerified)[language];
}

/** True for a result that reports a failure or that nothing was found. */
export function isNegativeResult(content: string): boolean {
  return /^\W*error\b|"(?:success|ok|found|exists|verified)"\s*:\s*false|"isError"\s*:\s*true/i.test(content);
}

/** A result that reports a failure. */
const FAILED = /^\W*error\b|"success"\s*:\s*false|"isError"\s*:\s*true/i;

const APP_MESSAGES = {
  noTool: {
    en: "None of my tools fits this request.",
    zh: "我没有适合这个请求的工具。",
  },
  missing: {
    en: (tool: string, name: string) => `${tool} needs a value for ${name}, and none is given.`,
    zh: (tool: string, name: string) => `${tool} 需要 ${name}，但没有给出。`,
  },
  done: { en: (told: string) => `Done. ${told}`, zh: (told: string) => `已完成。${told}` },
  verified: { en: "VERIFIED", zh: "已验证" },
  notVerified: { en: "NOT VERIFIED", zh: "未通过" },
} as const;
