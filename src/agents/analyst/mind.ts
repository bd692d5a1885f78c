// The model context of the analyst, and the plain answers that stream to the person.

import { Fault } from "../../protocol/fault.ts";
import type { Model, Said } from "../kit/agent.ts";
import { Brief } from "./brief.ts";
import type { Allowance } from "../kit/limits.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { think } from "../kit/think.ts";

/** A model client, the signal that ends the work, and the usage counter. */
export type Mind = { readonly model: Model; readonly signal: AbortSignal; readonly used: Allowance };

/** Maximum characters of JSON of a client's context in a prompt. */
export const MOST_CONTEXT = 8_000;

/** Returns a system message with the instructions and the language of the person. */
export function systemFor(instructions: string, language: string): ChatMessage {
  return { role: "system", content: `${instructions}\n\nLanguage of the person: ${language}` };
}

/**
 * Streams one answer of the model and returns its full text. The text is limited in length and sanitized while it
 * streams. Throws a `Fault` (`agent_failed`) if the model sends no text; model errors pass through.
 */
export async function* speak(
  { model, signal, used }: Mind,
  role: string,
  messages: readonly ChatMessage[],
): AsyncGenerator<Said, string> {
  const thinking = think(model, { role, messages, signal }, used);
  const brief = new Brief();
  let said = "";
  for (let isOver = false; !isOver;) {
    const { done, value } = await thinking.next();
    isOver = done === true;
    let text = "";
    if (done === true) text = brief.end();
    else if (value.type === "text") text = brief.feed(value.text);
    else yield value;
    said += text;
    if (text !== "") yield { type: "text", text };
  }
  if (said.trim() === "") throw new Fault("agent_failed", "The model gave no answer. Please try again.");
  return said.trim();
}
