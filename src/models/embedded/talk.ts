// What a model is given: the turns, and the blocks that prompts carry (`Agents:`, `Results:`).

import { jsonIn } from "../../protocol/json-text.ts";
import type { Result } from "./arguments.ts";
import { readTalk } from "./small-talk.ts";
import type { ToolCall, Turn } from "./wire.ts";

export type Talk = {
  readonly system: string;
  /** The turns before the request, system turns left out. */
  readonly earlier: readonly Turn[];
  /** The person's words, without the blocks. */
  readonly request: string;
  /** The last message as it came. */
  readonly message: string;
  /** What was called since the request, with the outcome of each call. */
  readonly outcomes: readonly Outcome[];
  /** Epoch milliseconds: as the prompt says, or the clock. */
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

// What the person did about a call that needed their leave, as the agent kit words it.
const REFUSED = /^The person refused this call\b/;
const CHANGED = /^The person changed the arguments to (\{.*\})\.\n/;

/** A call with arguments that the person changed, as if it had been made so. */
function asMade(outcome: Outcome): Outcome {
  const [note = "", args] = CHANGED.exec(outcome.content) ?? [];
  if (args === undefined) return outcome;
  return { call: { ...outcome.call, arguments: args }, content: outcome.content.slice(note.length) };
}

export function isRefused({ content }: Outcome): boolean {
  return REFUSED.test(content);
}

/** The JSON list in the fence after the last line that says `label`. */
export function listAfter(label: string, text: string): unknown[] {
  const list = jsonAfter(label, text);
  return Array.isArray(list) ? list : [];
}

/**
 * The JSON in the fence after the last line that says `label`, undefined where there is none. A line break
 * inside the JSON is always escaped, so the first fence at the start of a line is the closing one.
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

/** The person's earlier requests, the newest first. */
export function earlierRequests({ earlier }: Talk): string[] {
  return earlier
    .filter(({ role }) => role === "user")
    .map(({ text }) => text)
    .reverse();
}

/** What was answered last, thanks and greetings aside; null where that was a refusal, or nothing. */
export function lastAnswer({ earlier }: Talk): string | null {
  const answers = earlier.flatMap(({ role, text }, at) => {
    const asked = earlier.slice(0, at).findLast((turn) => turn.role === "user")?.text ?? "";
    return role === "assistant" && text.trim() !== "" ? [{ text, isTalk: readTalk(asked) !== null }] : [];
  });
  const answer = (answers.findLast(({ isTalk }) => !isTalk) ?? answers.at(-1))?.text ?? null;
  return answer !== null && REFUSAL.test(answer) ? null : answer;
}

/** What the embedded model says where it has no result ends so; nothing in it is a value to go on with. */
const REFUSAL = /OPENAI_API_KEY|^(?:This did not work|没有做成)/m;

/** What earlier tasks found, oldest first; else what was answered last. */
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
