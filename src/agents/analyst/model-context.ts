// The model context of the analyst, and the plain answers that stream to the person.

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

/**
 * Streams an answer of the model in `role` and returns its full text. The text is limited to 299 words and sanitized
 * while it streams. Throws a `Fault` (`agent_failed`) if the model sends no text, `agent_exhausted`, and errors of the
 * model.
 */
export async function* streamAnswer(
  { model, signal, budget }: ModelContext,
  role: string,
  messages: readonly ModelMessage[],
): AsyncGenerator<AgentRunEvent, string> {
  const modelCall = callModel(model, { role, messages, signal }, budget);
  const limiter = new AnswerLimiter();
  let answer = "";
  for (let isDone = false; !isDone;) {
    const { done, value } = await modelCall.next();
    isDone = done === true;
    let text = "";
    if (done === true) text = limiter.flush();
    else if (value.type === "text") text = limiter.feed(value.text);
    else yield value;
    answer += text;
    if (text !== "") yield { type: "text", text };
  }
  if (answer.trim() === "") throw createFault("agent_failed", "model.emptyAnswer");
  return answer.trim();
}
