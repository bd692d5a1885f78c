// Test support for executions: a model that replies depending on its request, and the events of one run.

import { AgentBudget, DEFAULT_LIMITS } from "../../../src/agents/kit/agent-limits.ts";
import type { AgentModel } from "../../../src/agents/kit/agent.ts";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import { executeBlueprint, type BlueprintExecution } from "../../../src/agents/analyst/execute/execute-blueprint.ts";
import type { AnalystTools } from "../../../src/agents/analyst/tools.ts";
import type { Blueprint } from "../../../src/protocol/pages/blueprint-schema.ts";
import { pageEventSchema, type PageEvent, type PageSpec } from "../../../src/protocol/pages/page.ts";
import type { PageSnapshot } from "../../../src/protocol/pages/stored-page.ts";
import { createBlueprintInput, TOOL_INFOS, createTools, type BlueprintInput } from "./classroom.ts";

type ModelRequest = Parameters<AgentModel["complete"]>[0];
export type ModelReply = { readonly text?: string; readonly calls?: readonly (readonly [string, unknown])[] };

/** Creates a model that replies to each call as `reply` decides and streams its text word by word. */
export function createModel(
  reply: (request: ModelRequest, call: number) => ModelReply | Promise<ModelReply>,
): AgentModel & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async complete(request, emit) {
      request.signal.throwIfAborted();
      requests.push(request);
      const { text = "", calls = [] } = await reply(request, requests.length);
      for (const word of text.split(/(?<= )/)) if (word !== "") emit({ type: "text", text: word });
      const toolCalls = calls.map(([name, args], i) => ({
        id: `c${i}`,
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args),
      }));
      return { text, toolCalls, usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export const createTextModel = (text: string) => createModel(() => ({ text }));

export function createBlueprint(change: (input: BlueprintInput) => void = () => {}): Blueprint {
  const input = createBlueprintInput();
  change(input);
  const checked = checkBlueprint(input, TOOL_INFOS, { sourcePrompt: "Analyse unit 5" });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.blueprint;
}

export type ExecutionSetup = Partial<Omit<BlueprintExecution, "tools">> & {
  readonly model?: AgentModel;
  readonly tools?: AnalystTools;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<typeof DEFAULT_LIMITS>;
};

/** Yields the events of an execution with its `COMPLETE`, and returns the page and its data. */
export async function* startExecution({ model, tools, signal, limits, ...options }: ExecutionSetup = {}) {
  const modelContext = {
    model: model ?? createTextModel("The average is 74.2."),
    signal: signal ?? new AbortController().signal,
    budget: new AgentBudget({ ...DEFAULT_LIMITS, ...limits }),
  };
  const { complete, snapshot } = yield* executeBlueprint(modelContext, {
    blueprint: createBlueprint(),
    context: { input: { assignment: "a-001" } },
    teacherId: "t-001",
    language: "en",
    tools: tools ?? createTools(),
    ...options,
  });
  yield complete;
  return { page: complete.result.page, snapshot };
}

export type ExecutionRun = {
  readonly page: PageSpec | null;
  readonly snapshot: PageSnapshot;
  readonly events: PageEvent[];
  readonly types: string[];
};

/** Runs an execution to its end and validates each event. */
export async function runExecution(setup: ExecutionSetup = {}): Promise<ExecutionRun> {
  const stream = startExecution(setup);
  const events: PageEvent[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { ...value, events, types: events.map(({ type }) => type) };
    pageEventSchema.parse(value);
    events.push(value);
  }
}

export function getCompleteEvent({ events }: ExecutionRun): Extract<PageEvent, { type: "COMPLETE" }> {
  const last = events.at(-1);
  if (last?.type !== "COMPLETE") throw new Error(`The last event is ${last?.type}.`);
  return last;
}

export function filterByType<Type extends PageEvent["type"]>(events: readonly PageEvent[], type: Type) {
  return events.filter((event): event is Extract<PageEvent, { type: Type }> => event.type === type);
}

/** Returns the return value of a generator and ignores its events. */
export async function getReturnValue<T>(work: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done === true) return value;
  }
}
