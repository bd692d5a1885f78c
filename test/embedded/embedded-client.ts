// Calls the embedded model as the runtime does: through the `openai` client, with the real prompts.

import OpenAI from "openai";
import { expect } from "vitest";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { agentSchema } from "../../src/protocol/agents/agent.ts";
import { buildPlannerPrompt, buildTriagePrompt } from "../../src/core/models/prompts.ts";
import { fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { CARDS, type TestCard } from "./test-cards.ts";

export type ChatMessageParam = ChatCompletionMessageParam;
export type ParsedToolCall = { readonly id: string; readonly name: string; readonly arguments: unknown };
export type ModelAnswer = {
  readonly text: string;
  readonly deltas: number;
  readonly calls: readonly ParsedToolCall[];
  readonly usage: unknown;
};

const client = new OpenAI({
  apiKey: "none",
  baseURL: "http://embedded/v1",
  maxRetries: 0,
  fetch: fetchEmbedded,
});

/** Requests one streamed answer. */
export async function askModel(
  role: string,
  messages: readonly ChatMessageParam[],
  tools: readonly ChatCompletionTool[] = [],
): Promise<ModelAnswer> {
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
  let usage: unknown;
  const calls: { id: string; name: string; arguments: string }[] = [];
  for await (const { choices, usage: counted } of stream) {
    usage = counted;
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
  const parsed = calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown }));
  return { text, deltas, calls: parsed, usage };
}

/** Untyped matchers, so that they fit anywhere in an expected value. */
export const stringWith = (part: string): unknown => expect.stringContaining(part);
export const anyOf = (type: unknown): unknown => expect.any(type);

export function createToolSpec(
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = Object.keys(properties),
): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { type: "object", properties, required } } };
}

const NOW = Date.parse("2026-11-21T08:00:00Z");
const TIME_ZONE = "Asia/Shanghai";

const parseAgents = (cards: readonly TestCard[]) =>
  cards.map((card) => agentSchema.parse({ ...card, source: "binding", enabled: true }));

export function runTriage(
  text: string,
  history: readonly ChatMessageParam[] = [],
  cards = CARDS,
  timezone = TIME_ZONE,
): Promise<ModelAnswer> {
  const system = buildTriagePrompt(parseAgents(cards), [], { now: NOW, timezone });
  return askModel(
    "triage",
    [{ role: "system", content: system }, ...history, { role: "user", content: text }],
    [createToolSpec("handoff_to_planner", "Hands the request over.", { strategy: { type: "string" } })],
  );
}

const PLANNER_TOOLS = [
  createToolSpec("create_plan", "Settles the plan."),
  createToolSpec("get_agent_description", "Tells about one agent."),
];

export function runPlanner(
  text: string,
  after: readonly ChatMessageParam[] = [],
  tools: readonly ChatCompletionTool[] = [],
  cards = CARDS,
  timezone = TIME_ZONE,
): Promise<ModelAnswer> {
  const system = buildPlannerPrompt(parseAgents(cards), { now: NOW, timezone }, 16);
  const messages: ChatMessageParam[] = [{ role: "system", content: system }, { role: "user", content: text }, ...after];
  return askModel("planner", messages, [...PLANNER_TOOLS, ...tools]);
}

export type TestTools = Readonly<
  Record<string, { readonly spec: ChatCompletionTool; readonly run: (args: never) => string }>
>;

/** Runs the loop of an agent to its answer. `calls` holds the calls of each round, in order. */
export async function runAgentLoop(
  messages: readonly ChatMessageParam[],
  tools: TestTools,
): Promise<{ text: string; calls: readonly ParsedToolCall[][] }> {
  const history: ChatMessageParam[] = [...messages];
  const rounds: ParsedToolCall[][] = [];
  for (let round = 0; round < 10; round++) {
    const { text, calls } = await askModel(
      "agent:somebody",
      history,
      Object.values(tools).map(({ spec }) => spec),
    );
    if (calls.length === 0) return { text, calls: rounds };
    rounds.push([...calls]);
    history.push({
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    });
    for (const { id, name, arguments: args } of calls) {
      history.push({
        role: "tool",
        tool_call_id: id,
        content: tools[name]?.run(args as never) ?? "Error: no such tool",
      });
    }
  }
  throw new Error("The agent never came to an end.");
}
