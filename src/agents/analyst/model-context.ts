// The model context of the analyst, and the plain answers that stream to the person.

import { NumberGate } from "../../protocol/provenance/number-gate.ts";
import {
  formatNumberCorrection,
  type NumberSources,
  type UnsourcedNumber,
} from "../../protocol/provenance/number-sources.ts";
import { UNTRUSTED_RULE } from "../../protocol/provenance/untrusted-block.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { AgentModel, AgentRunEvent } from "../kit/agent.ts";
import { AnswerLimiter } from "./answer-limiter.ts";
import type { AgentBudget } from "../kit/agent-limits.ts";
import type { ModelMessage } from "../kit/agent-prompt.ts";
import { callModel } from "../kit/call-model.ts";

/** A model client, the signal that ends the work, and the usage counter. */
export type ModelContext = { readonly model: AgentModel; readonly signal: AbortSignal; readonly budget: AgentBudget };

/** Maximum characters of JSON of a client's context in a prompt. */
export const MAX_CONTEXT_CHARS = 8_000;

/** Returns a system message with the instructions, the rule about untrusted text and the language of the person. */
export function createSystemMessage(instructions: string, language: string): ModelMessage {
  return { role: "system", content: `${instructions}\n\n${UNTRUSTED_RULE}\n\nLanguage of the person: ${language}` };
}

/** The numbers that an answer may contain, and the mark of others, in the language of the person. */
export type AnswerNumbers = { readonly sources: NumberSources; readonly mark: string };

/**
 * Streams an answer of the model in `role` and returns its full text. The text is limited to 299 words and sanitized
 * while it streams. With `numbers`, it stops before the first sentence with a number that has no source: the model then
 * continues once without that number, and such numbers in the rest are marked. Throws a `Fault` (`agent_failed`) if the
 * model sends no text, `agent_exhausted`, and errors of the model.
 */
export async function* streamAnswer(
  ctx: ModelContext,
  role: string,
  messages: readonly ModelMessage[],
  numbers: AnswerNumbers | null = null,
): AsyncGenerator<AgentRunEvent, string> {
  const limiter = new AnswerLimiter();
  const gate = numbers === null ? null : new NumberGate(numbers.sources, null, { onlySentences: true });
  let answer = yield* streamAttempt(ctx, role, messages, { limiter, gate, sent: "" });
  if (numbers !== null && gate !== null && gate.unsourced.length > 0) {
    const correction: ModelMessage[] = [
      { role: "assistant", content: answer },
      { role: "user", content: formatContinuation(gate.unsourced, answer) },
    ];
    const markingGate = new NumberGate(numbers.sources, numbers.mark);
    const attempt = { limiter, gate: markingGate, sent: answer };
    answer += yield* streamAttempt(ctx, role, [...messages, ...correction], attempt);
  }
  const rest = limiter.flush();
  if (rest !== "") yield { type: "text", text: rest };
  answer += rest;
  if (answer.trim() === "") throw createFault("agent_failed", "model.emptyAnswer");
  return answer.trim();
}

type AnswerAttempt = {
  readonly limiter: AnswerLimiter;
  readonly gate: NumberGate | null;
  /** The text that the person has already; an attempt that repeats it is shown without it. */
  readonly sent: string;
};

/** Streams one model call through the gate and the limiter, and returns the text that it has sent. */
async function* streamAttempt(
  { model, signal, budget }: ModelContext,
  role: string,
  messages: readonly ModelMessage[],
  { limiter, gate, sent }: AnswerAttempt,
): AsyncGenerator<AgentRunEvent, string> {
  const modelCall = callModel(model, { role, messages, signal }, budget);
  const dropRepeated = createPrefixFilter(sent);
  let shown = "";
  for (;;) {
    const { done, value } = await modelCall.next();
    let delta = "";
    if (done === true) delta = dropRepeated.flush();
    else if (value.type === "text") delta = dropRepeated.feed(value.text);
    else yield value;
    const passed = gate === null ? delta : gate.feed(delta) + (done === true ? gate.flush() : "");
    const text = limiter.feed(passed);
    shown += text;
    if (text !== "") yield { type: "text", text };
    if (done === true) return shown;
  }
}

/** Returns functions that drop a prefix from a streamed text, if the text begins with it, and the blanks after it. */
function createPrefixFilter(prefix: string) {
  let held: string | null = prefix === "" ? null : "";
  const release = (): string => {
    const text = held ?? "";
    held = null;
    return (text.startsWith(prefix) ? text.slice(prefix.length) : text).trimStart();
  };
  return {
    feed(delta: string): string {
      if (held === null) return delta;
      held += delta;
      const isDecided = held.trimEnd().length > prefix.length || !prefix.startsWith(held.trimEnd());
      return isDecided ? release() : "";
    },
    flush: release,
  };
}

/** Returns the request to continue an answer of which the person has seen only the beginning. */
function formatContinuation(numbers: readonly UnsourcedNumber[], sent: string): string {
  const correction = formatNumberCorrection(numbers);
  if (sent.trim() === "") return correction;
  return `${correction}\n\nThe person has read your answer as far as above. Write only what follows it. 用户已经读到上面的部分，只写后面的内容。`;
}
