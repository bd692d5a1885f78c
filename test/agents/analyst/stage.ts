// A stage for executions: a model that answers by what it is asked, and the events of one run.

import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint-check.ts";
import {
  executeBlueprint,
  type ExecutionResult,
  type BlueprintExecution,
} from "../../../src/agents/analyst/execute-blueprint.ts";
import type { AnalystTools } from "../../../src/agents/analyst/tools.ts";
import type { Blueprint } from "../../../src/protocol/pages/blueprint-schema.ts";
import { pageEventSchema, type PageEvent } from "../../../src/protocol/pages/page.ts";
import { blueprintInput, infos, toolsOf, type Input } from "./classroom.ts";

type Asked = Parameters<AgentModel["complete"]>[0];
export type Reply = { readonly text?: string; readonly calls?: readonly (readonly [string, unknown])[] };

/** Answers each call as `reply` says; what it says is heard word by word. */
export function answering(
  reply: (asked: Asked, call: number) => Reply | Promise<Reply>,
): AgentModel & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    async complete(request, hear) {
      request.signal.throwIfAborted();
      asked.push(request);
      const { text = "", calls = [] } = await reply(request, asked.length);
      for (const word of text.split(/(?<= )/)) if (word !== "") hear({ type: "text", text: word });
      const toolCalls = calls.map(([name, args], i) => ({
        id: `c${i}`,
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args),
      }));
      return { text, toolCalls, usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export const saying = (text: string) => answering(() => ({ text }));

export function blueprintOf(change: (input: Input) => void = () => {}): Blueprint {
  const input = blueprintInput();
  change(input);
  const checked = checkBlueprint(input, infos, { sourcePrompt: "Analyse unit 5" });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.blueprint;
}

export type Staged = Partial<Omit<BlueprintExecution, "tools">> & {
  readonly model?: AgentModel;
  readonly tools?: AnalystTools;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<typeof DEFAULT_LIMITS>;
};

export function begin({ model, tools, signal, limits, ...order }: Staged = {}) {
  const mind = {
    model: model ?? saying("The average is 74.2."),
    signal: signal ?? new AbortController().signal,
    budget: new AgentBudget({ ...DEFAULT_LIMITS, ...limits }),
  };
  return executeBlueprint(mind, {
    blueprint: blueprintOf(),
    context: { input: { assignment: "a-001" } },
    teacherId: "t-001",
    language: "en",
    tools: tools ?? toolsOf(),
    ...order,
  });
}

export type Run = ExecutionResult & { readonly events: PageEvent[]; readonly types: string[] };

/** A whole run. Every event is one that the protocol knows. */
export async function run(staged: Staged = {}): Promise<Run> {
  const stream = begin(staged);
  const events: PageEvent[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { ...value, events, types: events.map(({ type }) => type) };
    pageEventSchema.parse(value);
    events.push(value);
  }
}

export function lastOf({ events }: Run): Extract<PageEvent, { type: "COMPLETE" }> {
  const last = events.at(-1);
  if (last?.type !== "COMPLETE") throw new Error(`The last event is ${last?.type}.`);
  return last;
}

export function of<Type extends PageEvent["type"]>(events: readonly PageEvent[], type: Type) {
  return events.filter((event): event is Extract<PageEvent, { type: Type }> => event.type === type);
}

/** What a piece of work comes to. */
export async function endOf<T>(work: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done === true) return value;
  }
}
