// A configured agent (workflow app): does one piece of work with the best tool. Its arguments come from known values
// and from the words. For a verification it only looks.

import { argumentsFor } from "../arguments.ts";
import { factFor, factsIn, labelledIn, type Facts } from "../facts.ts";
import { spaced } from "../glossary.ts";
import { profileOf, scores, shares } from "../matching.ts";
import { isPerson, nameIn } from "../subject.ts";
import { kindOf, parametersOf, type Parameter } from "../parameters.ts";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import type { Outcome, Talk } from "../talk.ts";
import type { Answer, Tool } from "../wire.ts";

/** The tool by which the agent reports that it cannot do the work. */
const REPORT = "report_failure";

const VERIFYING = "verify_task_completion";

/** True for configured agents: they have the report tool or are asked to verify. */
export function isApp(talk: Talk, tools: readonly Tool[]): boolean {
  return tools.some(({ name }) => name === REPORT) || factsIn(talk.system).get("action") === VERIFYING;
}

export function app(talk: Talk, offered: readonly Tool[]): Answer {
  const language = languageOf(talk.request, talk.language);
  const facts = factsIn(talk.system);
  const isVerifying = facts.get("action") === VERIFYING;
  const last = talk.outcomes.at(-1);
  if (last !== undefined) return conclude(last, isVerifying, language, offered);
  const tools = offered.filter(({ name }) => name !== REPORT);
  const name = facts.get("task_name");
  const { tool, score } = toolFor(isVerifying && typeof name === "string" ? name : talk.request, tools);
  if (tool === undefined || (score <= 0 && !isVerifying)) return cannot(offered, isVerifying, PHRASES.noTool[language]);
  const filled = fill(tool, talk, facts, isVerifying);
  // A tool that neither fits the words nor gets any argument would look at something unrelated.
  const isBlind = score <= 0 && "arguments" in filled && Object.keys(filled.arguments).length === 0;
  if (isBlind) return cannot(offered, isVerifying, PHRASES.noTool[language]);
  if ("missing" in filled) return cannot(offered, isVerifying, PHRASES.missing[language](tool.name, filled.missing));
  return { kind: "calls", calls: [{ name: tool.name, arguments: filled.arguments }] };
}

/** A value that a workflow inserted into the prompt; it is data. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/** Returns the named tool, or the one whose description fits best. */
function toolFor(asked: string, tools: readonly Tool[]): { readonly tool?: Tool; readonly score: number } {
  const request = asked.replaceAll(QUOTED, " ");
  const words = new Set(request.split(/[^\w-]+/));
  const named = tools.find(({ name }) => words.has(name));
  if (named !== undefined) return { tool: named, score: 1 };
  const profiles = tools.map(({ name, description }) =>
    profileOf([
      { text: spaced(name), weight: 1.3 },
      { text: description, weight: 1 },
    ]),
  );
  const fits = scores(request, profiles);
  const suits = (tool: Tool): boolean => isLooking(tool) === LOOKS.test(request);
  const [best, next] = tools
    .map((tool, i) => ({ tool, score: fits[i] ?? 0, profile: profiles[i] }))
    .toSorted((a, b) => b.score - a.score || Number(suits(b.tool)) - Number(suits(a.tool)));
  if (best === undefined || best.score > 0) return best ?? { score: 0 };
  // Accept the only candidate if at least one word speaks for it.
  const isOnly = next === undefined || next.score < best.score || !suits(next.tool);
  const isMeant = best.profile !== undefined && (shares(request, best.profile) || isReached(request, best.tool));
  return isOnly && isMeant && suits(best.tool) ? { tool: best.tool, score: 1 } : best;
}

const LOOKS = /\b(?:check|look up|find out|was|were|has|have|does|did|whether|status of)\b|查询|查看|检查|是否/i;

function isLooking({ name }: Tool): boolean {
  return /^(?:check|look|query|find|get|list|search|read|show|count)/i.test(name);
}

/** True if the text contains an address for the tool to write to. */
function isReached(text: string, { parameters }: Tool): boolean {
  return EMAIL.test(text) && parametersOf(parameters).some((one) => one.isRequired && isAddressed(one));
}

function isAddressed(parameter: Parameter): boolean {
  const { name, schema } = parameter;
  return kindOf(parameter) === "email" || schema["format"] === "email" || /^(?:to|recipient)$/.test(name);
}

type Filled = { readonly arguments: Readonly<Record<string, unknown>> } | { readonly missing: string };

function fill(tool: Tool, talk: Talk, facts: Facts, isVerifying: boolean): Filled {
  const values: Record<string, unknown> = {};
  for (const parameter of parametersOf(tool.parameters)) {
    const value =
      knownFor(parameter, talk, facts, isVerifying) ?? (isVerifying ? undefined : guessFor(parameter, talk));
    if (value !== undefined) values[parameter.name] = value;
    else if (parameter.isRequired) return { missing: parameter.name };
  }
  return { arguments: values };
}

function knownFor(parameter: Parameter, talk: Talk, facts: Facts, isVerifying: boolean): unknown {
  const { name, schema } = parameter;
  const said = isVerifying ? undefined : labelledIn(talk.request, name);
  const fact = factFor(name, facts);
  const known = fact === undefined ? said : (meant(said, facts) ?? fact);
  if (known !== undefined) return shaped(known, schema["type"]);
  return isAddressed(parameter) ? emailIn(talk.request, facts) : undefined;
}

/** Returns the known value that the labelled words begin with. */
function meant(said: string | undefined, facts: Facts): unknown {
  const begins = (value: unknown): boolean => {
    const text = String(value);
    return text !== "" && said?.startsWith(text) === true && !/^[\w-]/.test(said.slice(text.length));
  };
  return [...facts.values()].filter(begins).toSorted((a, b) => String(b).length - String(a).length)[0];
}

/** Guesses an argument from the words. Not used for verification, which needs known values. */
function guessFor(parameter: Parameter, talk: Talk): unknown {
  const { name, isRequired, schema } = parameter;
  if (!isRequired) return undefined;
  if (/subject|title/.test(name)) return titleOf(talk.request);
  const person = isPerson(name) ? nameIn(talk.request) : undefined;
  if (person !== undefined) return person;
  const one = { type: "object", properties: { [name]: schema }, required: [name] };
  const situation = { text: talk.request, results: [], now: talk.now, timezone: talk.timezone };
  const read = argumentsFor(one, situation)?.[0]?.[name];
  return read ?? (kindOf(parameter) === "text" ? talk.request : undefined);
}

function shaped(value: unknown, type: unknown): unknown {
  if (type === "string") return String(value);
  const number = Number(value);
  if ((type === "number" || type === "integer") && String(value).trim() !== "" && !Number.isNaN(number)) return number;
  return value;
}

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;

function emailIn(text: string, facts: Facts): string | undefined {
  const known = [...facts.values()].find((value) => typeof value === "string" && EMAIL.test(value));
  return EMAIL.exec(text)?.[0] ?? (known === undefined ? undefined : EMAIL.exec(String(known))?.[0]);
}

function titleOf(request: string): string {
  const [first = request] = request.split(/[\n。！？]|[.!?](?=\s|$)/, 1);
  return [...first].slice(0, 60).join("");
}

function cannot(offered: readonly Tool[], isVerifying: boolean, reason: string): Answer {
  const canReport = offered.some(({ name }) => name === REPORT);
  if (canReport && !isVerifying) return { kind: "calls", calls: [{ name: REPORT, arguments: { reason } }] };
  return { kind: "text", text: reason };
}

function conclude(last: Outcome, isVerifying: boolean, language: Language, offered: readonly Tool[]): Answer {
  const { call, content } = last;
  const isWell = !isNo(content);
  const told = `${call.name}: ${content.slice(0, 500)}`;
  if (!isVerifying && FAILED.test(content)) return cannot(offered, isVerifying, told);
  if (!isVerifying) return { kind: "text", text: isWell ? PHRASES.done[language](told) : told };
  return { kind: "text", text: `${told}\n${verdict(isWell, language)}` };
}

/** Returns the work to verify with the original query; null for any other request. */
export function workToVerify({ system }: Talk): { readonly query: string; readonly result: string } | null {
  const facts = factsIn(system);
  const [query, result] = [facts.get("task_query"), facts.get("task_result")];
  const isAsked = facts.get("action") === VERIFYING && typeof query === "string" && typeof result === "string";
  return isAsked ? { query, result } : null;
}

export function verdict(isWell: boolean, language: Language): string {
  return (isWell ? PHRASES.verified : PHRASES.notVerified)[language];
}

/** True for a result that reports a failure or that nothing was found. */
export function isNo(content: string): boolean {
  return /^\W*error\b|"(?:success|ok|found|exists|verified)"\s*:\s*false|"isError"\s*:\s*true/i.test(content);
}

/** A result that reports a failure. */
const FAILED = /^\W*error\b|"success"\s*:\s*false|"isError"\s*:\s*true/i;

const PHRASES = {
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
