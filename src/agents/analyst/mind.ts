// What a piece of work thinks with, and the forms of what it tells the model.

import { Fault } from "../../protocol/fault.ts";
import type { Model, Said } from "../kit/agent.ts";
import { Brief } from "./brief.ts";
import type { Allowance } from "../kit/limits.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { think } from "../kit/think.ts";

export type Mind = { readonly model: Model; readonly signal: AbortSignal; readonly used: Allowance };

/** Longest context of a client that a prompt carries, in UTF-16 units of JSON. */
export const MOST_CONTEXT = 8_000;

/** Instructions, and whom they are for. */
export function systemFor(instructions: string, language: string): ChatMessage {
  return { role: "system", content: `${instructions}\n\nLanguage of the person: ${language}` };
}

/** One plain answer of a model in a role, told while it comes: brief and harmless. Throws a `Fault` when there is none. */
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
