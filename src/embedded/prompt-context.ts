// Parses a chat request: the turns, the facts about the person, and the blocks of JSON in the prompts.

import * as z from "zod";
import { tryParseJson } from "../lib/parse-json.ts";
import { parseUntrusted, removeUntrusted } from "../protocol/provenance/untrusted-block.ts";
import type { RequestedToolCall, ChatTurn } from "./chat-completions.ts";
import { detectSmallTalk } from "./small-talk.ts";
import type { EarlierResult } from "./work/earlier-results.ts";

export type PromptContext = {
  readonly system: string;
  /** The turns before the request, without system turns. */
  readonly earlier: readonly ChatTurn[];
  /** The person's words, without the blocks. */
  readonly request: string;
  /** The unmodified last message. */
  readonly message: string;
  /** The calls since the request and their outcomes. */
  readonly outcomes: readonly CallOutcome[];
  readonly timezone: string | undefined;
  /** The current time in ms since the epoch, from the prompt. */
  readonly now: number;
  readonly language: string | undefined;
};

export type CallOutcome = {
  readonly call: RequestedToolCall;
  readonly content: string;
  /** True if the person refused the call. */
  readonly isRejected: boolean;
};

const MAX_EARLIER = 60;

export function parsePromptContext(turns: readonly ChatTurn[]): PromptContext {
  const system = turns
    .filter(({ role }) => role === "system")
    .map(({ text }) => text)
    .join("\n\n");
  const spoken = turns.filter(({ role }) => role !== "system").map(unwrapAnswer);
  const at = spoken.findLastIndex(({ role }) => role === "user");
  const message = spoken[at]?.text ?? "";
  const everything = `${system}\n${message}`;
  return {
    system,
    earlier: spoken.slice(Math.max(0, at - MAX_EARLIER), Math.max(0, at)),
    request: removeBlocks(message),
    message,
    outcomes: collectOutcomes(spoken.slice(at + 1)),
    timezone: /time ?zone[^\n:]{0,20}:\s*"?([A-Za-z]+(?:\/[\w+-]+)*)/i.exec(everything)?.[1],
    now: Date.parse(/^Now: (\S+)$/m.exec(system)?.[1] ?? "") || Date.now(),
    language: /\blanguage[^\n:]{0,20}:\s*"?([A-Za-z]{2}(?:-[A-Za-z]+)?)\b/i.exec(everything)?.[1],
  };
}

function collectOutcomes(turns: readonly ChatTurn[]): CallOutcome[] {
  const calls = new Map(turns.flatMap(({ toolCalls }) => toolCalls.map((call) => [call.id, call] as const)));
  return turns.flatMap(({ role, toolCallId, text }) => {
    const call = role === "tool" ? calls.get(toolCallId) : undefined;
    return call === undefined ? [] : [parseOutcome(call, text)];
  });
}

// The lines above the parts of an earlier answer, as the conversation's history words them.
const UNSUCCESSFUL_PART =
  /(?:^|\n\n)\[(?:[^\]\n]+ )?(?:failed|cancelled|cancelled by the person)\](?:(?!\n\n)[\s\S])*/g;
const AGENT_LINE = /(^|\n\n)\[[^\]\n]+\]\n/g;

/** Returns an earlier answer without the marks of untrusted text, names of agents, failures and cancellations. */
function unwrapAnswer(turn: ChatTurn): ChatTurn {
  if (turn.role !== "assistant") return turn;
  return { ...turn, text: unwrapUntrusted(turn.text).replace(UNSUCCESSFUL_PART, "").replace(AGENT_LINE, "$1").trim() };
}

/** Returns the content of a text that is one untrusted block; other texts stay unchanged. */
function unwrapUntrusted(text: string): string {
  return text.startsWith("<untrusted ") ? (parseUntrusted(text)[0]?.content ?? text) : text;
}

// The person's decision about a call that needs approval, as worded by the agent kit.
const REFUSED = /^The person refused this call\b/;
const CHANGED = /^The person changed the arguments to (\{.*\})\.\n/;

/** Parses the result of a call. Arguments that the person changed replace those of the call. */
function parseOutcome(call: RequestedToolCall, text: string): CallOutcome {
  const [note = "", args = call.arguments] = CHANGED.exec(text) ?? [];
  return {
    call: { ...call, arguments: args },
    content: unwrapUntrusted(text.slice(note.length)),
    isRejected: REFUSED.test(text),
  };
}

/** Returns the JSON list behind `label`. */
export function parseListAfter(label: string, text: string): unknown[] {
  const list = parseJsonAfter(label, text);
  return Array.isArray(list) ? list : [];
}

/**
 * Returns the JSON of the last untrusted block with this source, or in the last fence behind `label`; undefined if there
 * is none. A line break inside the JSON is always escaped, so the first fence at the start of a line is the closing one.
 */
export function parseJsonAfter(label: string, text: string): unknown {
  const block = parseUntrusted(text).findLast(({ source }) => `${source}:` === label);
  if (block !== undefined) return tryParseJson(block.content);
  const ownText = removeUntrusted(text);
  const opening = `${label}\n\`\`\`json\n`;
  const at = ownText.lastIndexOf(opening);
  if (at < 0) return undefined;
  const start = at + opening.length;
  const end = ownText.indexOf("\n```", start);
  return tryParseJson(ownText.slice(start, end < 0 ? undefined : end));
}

const removeBlocks = (message: string): string =>
  removeUntrusted(message)
    .replace(/(?:^|\n)[^\n]{1,60}:\n```json\n[\s\S]*?(?:\n```|$)/g, "")
    .trim();

/** The known facts about the subject of the work, by name. */
export type KnownValues = ReadonlyMap<string, unknown>;

/** Reads the current context of the request, including nested objects; outer values win. */
export function parseKnownValues({ message }: PromptContext): KnownValues {
  const facts = new Map<string, unknown>();
  const read = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 3) return;
    const entries = Object.entries(value);
    for (const [name, inner] of entries) if (typeof inner !== "object" && !facts.has(name)) facts.set(name, inner);
    for (const [, inner] of entries) read(inner, depth + 1);
  };
  read(parseJsonAfter("Current context:", message), 0);
  return facts;
}

/** Returns the person's earlier requests, newest first. */
export const listEarlierRequests = ({ earlier }: PromptContext): string[] =>
  earlier.flatMap(({ role, text }) => (role === "user" ? [text] : [])).reverse();

/** Marks answers without a result, which must not be used as values. */
const REFUSAL = /OPENAI_API_KEY|^(?:This did not work|没有做成)/m;

/** Returns the last answer to a request that is not small talk; null if it was a refusal or there is none. */
export function getLastAnswer({ earlier }: PromptContext): string | null {
  const answer = earlier.findLast(({ role, text }, at) => {
    const asked = earlier.slice(0, at).findLast((turn) => turn.role === "user")?.text ?? "";
    return role === "assistant" && text.trim() !== "" && detectSmallTalk(asked) === null;
  })?.text;
  return answer === undefined || REFUSAL.test(answer) ? null : answer;
}

const resultSchema = z.object({ title: z.string().catch(""), result: z.string() });

/** Returns the results of earlier tasks, oldest first; otherwise the last answer. */
export function listEarlierResults(talk: PromptContext): EarlierResult[] {
  const listed = parseListAfter("Results so far:", talk.message)
    .flatMap((entry) => resultSchema.safeParse(entry).data ?? [])
    .map(({ title, result }) => ({ value: result, about: title }))
    .filter(({ value }) => !REFUSAL.test(value));
  const answer = getLastAnswer(talk);
  if (listed.length > 0 || answer === null) return listed;
  return [{ value: answer, about: listEarlierRequests(talk)[0] ?? "" }];
}
