// The final answer of the toolsmith. It contains every result literally and nothing invented (F100, F101).

import type { AgentRequest } from "../../protocol/agent.ts";
import type { Said } from "../kit/agent.ts";
import { think } from "../kit/think.ts";
import { isMeant, type Bench } from "./bench.ts";
import { inLanguageOf, lineOf } from "./phrases.ts";
import { wording } from "./prompts.ts";
import type { Done } from "./state.ts";

/** Maximum characters of results that the model turns into prose. Longer results are sent as they are. */
const MOST_CHARS = 8_000;

/**
 * Yields the final answer. It is the model's text if that contains every result, with missing failures appended.
 * Otherwise, or if the model fails, it is one line per sub-task.
 */
export async function* word(bench: Bench, done: readonly Done[]): AsyncGenerator<Said> {
  const lines = aggregate(bench.request, done);
  const isShort = lines.length <= MOST_CHARS;
  const hasResult = done.some(({ status }) => status === "completed");
  const text = isShort && hasResult ? yield* wordedBy(bench, done) : "";
  yield {
    type: "text",
    text: isFaithful(text, done) ? [text, ...failuresMissingIn(text, bench.request, done)].join("\n") : lines,
  };
}

/** Returns one line per sub-task, with its result or its error. */
export function aggregate(request: AgentRequest, done: readonly Done[]): string {
  return done.map((one) => inLanguageOf(request, lineOf(one))).join("\n");
}

/** True if the text contains every result. */
function isFaithful(text: string, done: readonly Done[]): boolean {
  return text !== "" && done.every((one) => one.status !== "completed" || standsIn(text, one.result.trim()));
}

/** True if a text contains a result as a separate token: 12 is neither in 512 nor in 12.5, -12 or 12万. */
function standsIn(text: string, result: string): boolean {
  const isNumber = /\d$/.test(result);
  for (let at = text.indexOf(result); at >= 0; at = text.indexOf(result, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + result.length, at + result.length + 3);
    const isBegun = /^[a-z\d]/i.test(result) && /(?:[a-z\d\-−]|\d[.,])$/i.test(before);
    const goesOn = isNumber ? GOES_ON.test(after) : /[a-z]$/i.test(result) && /^[a-z\d]/i.test(after);
    if (!isBegun && !goesOn) return true;
  }
  return result === "";
}

/** Characters that continue a number. */
const GOES_ON = /^(?:[.,]?\d|e[+-]?\d|\s?[十百千万亿])/i;

function failuresMissingIn(text: string, request: AgentRequest, done: readonly Done[]): string[] {
  return done.flatMap((one) =>
    one.status === "failed" && !text.includes(one.error) ? [inLanguageOf(request, lineOf(one))] : [],
  );
}

/**
 * Returns the text of the model; empty if the model fails with an error meant for people. Its deltas are not emitted.
 */
async function* wordedBy(
  { role, model, signal, used, system, request }: Bench,
  done: readonly Done[],
): AsyncGenerator<Said, string> {
  const prompt = { role: "user", content: wording(request.query, done) } as const;
  const thinking = think(model, { role, messages: [system, prompt], signal }, used);
  try {
    for (;;) {
      const { done: isOver, value } = await thinking.next();
      if (isOver === true) return value.text.trim();
      if (value.type !== "text") yield value;
    }
  } catch (thrown) {
    if (signal.aborted || !isMeant(thrown)) throw thrown;
    return "";
  }
}
