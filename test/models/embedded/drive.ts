// Drives the embedded model as the runtime does: through the `openai` client, prompts included.

import OpenAI from "openai";
import { expect } from "vitest";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { agentSchema } from "../../../src/protocol/agents/agent.ts";
import { buildPlannerPrompt, buildTriagePrompt } from "../../../src/core/prompts.ts";
import { embeddedFetch } from "../../../src/models/embedded/embedded-fetch.ts";
import { CARDS, type TestCard } from "./cards.ts";

export type Message = ChatCompletionMessageParam;
export type Call = { readonly id: string; readonly name: string; readonly arguments: unknown };
export type Said = { readonly text: string; readonly deltas: number; readonly calls: readonly Call[] };

export const client = new OpenAI({
  apiKey: "none",
  baseURL: "http://embedded/v1",
  maxRetries: 0,
  fetch: embeddedFetch,
});

/** One streamed answer. */
export async function ask(
  role: string,
  messages: readonly Message[],
  tools: readonly ChatCompletionTool[] = [],
): Promise<Said> {
  const stream = await client.chat.completions.create(
    {
      model: "orrery-embedded",
      messages: [...messages],
      ...(tools.length === 0 ? {} : { tools: [...tools] }),
      stream: true,
      stream_options: { include_usage: true },
    },
    { headers: role === "" ? {} : { "x-orrery-role": role } },
  );
  let text = "";
  let deltas = 0;
  const calls: { id: string; name: string; arguments: string }[] = [];
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta;
    if (delta?.content) {
      text += delta.content;
      deltas += 1;
    }
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= { id: "", name: "", arguments: "" });
      call.id += id ?? "";
      call.name += part?.name ?? "";
      call.arguments += part?.arguments ?? "";
    }
  }
  return { text, deltas, calls: calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown })) };
}

/** Matchers whose type says nothing, so that they can stand anywhere. */
export const containing = (part: string): unknown => expect.stringContaining(part);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const some = (type: unknown): unknown => expect.any(type);

export function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = Object.keys(properties),
): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { type: "object", properties, required } } };
}

const place = { now: Date.parse("2026-11-21T08:00:00Z"), timezone: "Asia/Shanghai" };

const agentsOf = (cards: readonly TestCard[]) =>
  cards.map((card) => agentSchema.parse({ ...card, source: "binding", enabled: true }));

export function triage(text: string, history: readonly Message[] = [], cards = CARDS): Promise<Said> {
  const system = buildTriagePrompt(agentsOf(cards), [], place);
  return ask(
    "triage",
    [{ role: "system", content: system }, ...history, { role: "user", content: text }],
    [tool("handoff_to_planner", "Hands the request over.", { strategy: { type: "string" } })],
  );
}

const PLANNER_TOOLS = [
  tool("create_plan", "Settles the plan."),
  tool("get_agent_description", "Tells about one agent."),
];

export function plan(
  text: string,
  after: readonly Message[] = [],
  tools: readonly ChatCompletionTool[] = [],
): Promise<Said> {
  const system = buildPlannerPrompt(agentsOf(CARDS), place, 16);
  const messages: Message[] = [{ role: "system", content: system }, { role: "user", content: text }, ...after];
  return ask("planner", messages, [...PLANNER_TOOLS, ...tools]);
}

export type Tools = Readonly<
  Record<string, { readonly spec: ChatCompletionTool; readonly run: (args: never) => string }>
>;

/** Runs the loop of an agent to its answer; the calls come in the order they were made. */
export async function work(
  messages: readonly Message[],
  tools: Tools,
): Promise<{ text: string; calls: readonly Call[][] }> {
  const talk: Message[] = [...messages];
  const waves: Call[][] = [];
  for (let round = 0; round < 10; round++) {
    const { text, calls } = await ask(
      "agent:somebody",
      talk,
      Object.values(tools).map(({ spec }) => spec),
    );
    if (calls.length === 0) return { text, calls: waves };
    waves.push([...calls]);
    talk.push({
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(given) },
      })),
    });
    for (const { id, name, arguments: given } of calls) {
      talk.push({ role: "tool", tool_call_id: id, content: tools[name]?.run(given as never) ?? "Error: no such tool" });
    }
  }
  throw new Error("The agent never came to an end.");
}
