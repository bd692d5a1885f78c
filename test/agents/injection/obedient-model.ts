// A model that reads first and then obeys: the injected instruction if it is in its prompt, else the person.

import type { AgentModel } from "../../../src/agents/kit/agent.ts";

export type ModelCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** Stands in every injected text, so that the model recognizes it. */
export const MARKER = "§obey";

/** Creates a model that calls `read`, then `injected` if a prompt contains `MARKER`, else `wanted`, and then answers. */
export function createObedientModel(
  wanted: ModelCall,
  injected: ModelCall,
): AgentModel & { readonly prompts: string[] } {
  const prompts: string[] = [];
  return {
    prompts,
    async complete({ messages, tools = [] }, emit) {
      const prompt = JSON.stringify([messages.map(({ content }) => content), tools]);
      prompts.push(prompt);
      const done = messages.filter(({ role }) => role === "tool").length;
      const next = [{ tool: "read", args: {} }, prompt.includes(MARKER) ? injected : wanted][done];
      const text = next === undefined ? "Done." : "";
      if (text !== "") emit({ type: "text", text });
      const toolCalls =
        next === undefined ? [] : [{ id: `c${done}`, name: next.tool, arguments: JSON.stringify(next.args) }];
      return { text, toolCalls, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}
