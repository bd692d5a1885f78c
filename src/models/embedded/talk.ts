// Parses a chat request: the turns, and the blocks in the prompts (`Agents:`, `Results:`).

import { jsonIn } from "../../protocol/json-text.ts";
import type { Result } from "./arguments.ts";
import { readTalk } from "./small-talk.ts";
import type { ToolCall, Turn } from "./wire.ts";

export type Talk = {
  readonly system: string;
  /** The turns before the request, without system turns. */
  readonly earlier: readonly Turn[];
  /** The person's words, without the blocks. */
  readonly request: string;
  /** The unmodified last message. */
  readonly message: string;
  /** The calls since the request and their outcomes. */
  readonly outcomes: readonly Outcome[];
  /** Epoch milliseconds, from the prompt or the clock. */
  readonly now: number;
  readonly timezone: string | undefined;
  readonly language: string | undefined;
};

export type Outcome = { readonly call: ToolCall; readonly content: string };

const MAX_EARLIER = 60;

export function talkOf(turns: readonly Turn[]): Talk {
  const system = turns
    .filter(({ role }) => role === "system")
    .map(({ text }) => text)
    .join("\n\n");
  const spoken = turns.filter(({ role }) => role !== "system");
  const at = spoken.findLastIndex(({ role }) => role === "user");
  const message = spoken[at]?.text ?? "";
  const everything = `${system}\n${message}`;
  const said = /^\W*Now: *(\S+)/m.exec(system)?.[1];
  const now = said === undefined ? Number.NaN : Date.parse(said);
  return {
    system,
    earlier: spoken.slice(Math.max(0, at - MAX_EARLIER), Math.max(0, at)),
    request: withoutBlocks(message),
    message,
    outcomes: outcomesOf(spoken.slice(at + 1)),
    now: Number.isNaN(now) ? Date.now() : now,
    timezone: /time ?zone[^\n:]{0,20}:\s*"?([A-Za-z]+(?:\/[\w+-]+)*)/i.exec(everything)?.[1],
    language: /\blanguage[^\n:]{0,20}:\s*"?([A-Za-z]{2}(?:-[A-Za-z]+)?)\b/i.exec(everything)?.[1],
  };
}

function outcomesOf(turns: readonly Turn[]): Outcome[] {
  const calls = new Map(turns.flatMap(({ toolCalls }) => toolCalls.map((call) => [call.id, call] as const)));
  return turns.flatMap(({ role, toolCallId, text }) => {
    const call = role === "tool" ? calls.get(toolCallId) : undefined;
    return call === undefined ? [] : [asMade({ call, content: text })];
  });
}

// The person's decision about a call that needs approval, as worded by the agent kit.
const REFUSED = /^The person refused this call\b/;
const CHANGED = /^The person changed the arguments to (\{.*\})\.\n/;

/** Inserts arguments that the person changed into the call. */
function asMade(outcome: Outcome): Outcome {
  const [note = "", args] = CHANGED.exec(outcome.content) ?? [];
  if (args === undefined) return outcome;
  return { call: { ...outcome.call, arguments: args }, content: outcome.content.slice(note.length) };
}

export function isRefused({ content }: Outcome): boolean {
  return REFUSED.test(content);
}

/** Returns the JSON list in the last fence behind `label`. */
export function listAfter(label: string, text: string): unknown[] {
  const list = jsonAfter(label, text);
  return Array.isArray(list) ? list : [];
}

/**
 * Returns the JSON in the last fence behind `label`; undefined if there is none. A line break inside the JSON is always
 * escaped, so the first fence at the start of a line is the closing one.
 */
export function jsonAfter(label: string, text: string): unknown {
  const opening = `${label}\n\`\`\`json\n`;
  const at = text.lastIndexOf(opening);
  if (at < 0) return undefined;
  const start = at + opening.length;
  const end = text.indexOf("\n```", start);
  return jsonIn(text.slice(start, end < 0 ? undefined : end));
}

function withoutBlocks(message: string): string {
  return message.replace(/(?:^|\n)[^\n]{1,60}:\n```json\n[\s\S]*?(?:\n```|$)/g, "").trim();
}

/** Returns the person's earlier requests, newest first. */
export function earlierRequests({ earlier }: Talk): string[] {
  return earlier
    .filter(({ role }) => role === "user")
    .map(({ text }) => text)
    .reverse();
}

/** Returns the last answer that is not small talk; null if it was a refusal or there is none. */
export function lastAnswer({ earlier }: Talk): string | null {
  const answers = earlier.flatMap(({ role, text }, at) => {
    const asked = earlier.slice(0, at).findLast((turn) => turn.role === "user")?.text ?? "";
    return role === "assistant" && text.trim() !== "" ? [{ text, isTalk: readTalk(asked) !== null }] : [];
  });
  const answer = (answers.findLast(({ isTalk }) => !isTalk) ?? answers.at(-1))?.text ?? null;
  return answer !== null && REFUSAL.test(answer) ? null : answer;
}

/** Marks answers without a result, which must not be used as values. */
const REFUSAL = /OPENAI_API_KEY|^(?:This did not work|没有做成)/m;

/** Returns the results of earlier tasks, oldest first; otherwise the last answer. */
export function resultsSoFar(talk: Talk): Result[] {
  const listed = listAfter("Results so far:", talk.message).flatMap((entry): Result[] => {
    if (typeof entry !== "object" || entry === null || !("result" in entry)) return [];
    const value = typeof entry.result === "string" ? entry.result : JSON.stringify(entry.result);
    if (REFUSAL.test(value)) return [];
    return [{ value, about: "title" in entry && typeof entry.title === "string" ? entry.title : "" }];
  });
  const answer = lastAnswer(talk);
  if (listed.length > 0 || answer === null) return listed;
  return [{ value: answer, about: earlierRequests(talk)[0] ?? "" }];
}
