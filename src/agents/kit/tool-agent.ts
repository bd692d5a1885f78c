// A bounded loop of model and tools. The model answers with text, which is the agent's answer, or calls
// tools, whose results it sees in the next round.

import { agentCardSchema, type AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import { mint } from "../../protocol/ids.ts";
import type { AgentDefinition, Model, RunContext, Said } from "./agent.ts";
import { Allowance, DEFAULT_LIMITS, Exhausted, type Limits } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";
import { openingOf, type ChatMessage } from "./prompt.ts";
import type { Tool } from "./tool.ts";

type Completion = Awaited<ReturnType<Model["complete"]>>;
type ToolCall = Completion["toolCalls"][number];

/** One run of the loop: what it works with and what it has used. */
type Round = {
  readonly role: string;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly used: Allowance;
  readonly request: AgentRequest;
  readonly env: RunContext["env"];
  readonly signal: AbortSignal;
  readonly messages: ChatMessage[];
};

/** An agent that works with a model and tools. `serveAgent(toolAgent({ … }))` makes it an entrypoint. */
export function toolAgent(options: {
  readonly card: AgentDefinition["card"];
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly limits?: Partial<Limits>;
}): AgentDefinition {
  const card = agentCardSchema.parse(options.card);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    card: options.card,
    async *run(request, context) {
      const used = new Allowance(limits);
      const clock = AbortSignal.timeout(limits.seconds * 1000);
      const { model, env } = context;
      const round: Round = {
        role: `agent:${card.name}`,
        model,
        tools: options.tools,
        limits,
        used,
        request,
        env,
        signal: AbortSignal.any([context.signal, clock]),
        messages: openingOf(options.instructions, request),
      };
      const ending = yield* settle(converse(round), clock, limits);
      yield {
        type: "usage",
        usage: { model_calls: used.modelCalls, input_tokens: used.inputTokens, output_tokens: used.outputTokens },
      };
      yield ending;
    },
  };
}

/** Turns the ways a run can end badly into its last word. */
async function* settle(
  conversation: AsyncIterable<Said>,
  clock: AbortSignal,
  limits: Limits,
): AsyncGenerator<Said, Said> {
  let answered = false;
  try {
    for await (const said of conversation) {
      answered ||= said.type === "text" && said.text.trim() !== "";
      yield said;
    }
    if (answered) return { type: "completed" };
    return { type: "failed", reason: "The model gave no answer.", code: "model_malformed" };
  } catch (thrown) {
    if (clock.aborted) {
      return {
        type: "failed",
        reason: `The agent had no answer after ${limits.seconds} seconds.`,
        code: "agent_exhausted",
      };
    }
    if (thrown instanceof Exhausted) return { type: "failed", reason: thrown.message, code: "agent_exhausted" };
    if (isModelFault(thrown)) return { type: "failed", reason: thrown.message, code: thrown.code };
    throw thrown;
  }
}

async function* converse(round: Round): AsyncGenerator<Said> {
  for (;;) {
    round.used.takeModelCall();
    const { text, toolCalls } = yield* ask(round);
    if (toolCalls.length === 0) return;
    round.messages.push({ role: "assistant", content: text, toolCalls });
    for (const call of toolCalls) {
      round.used.takeToolCall();
      const content = yield* use(round, call);
      round.messages.push({ role: "tool", toolCallId: call.id, content });
    }
  }
}

/** One model call, told while it is heard. */
async function* ask({ model, role, tools, messages, signal, used }: Round): AsyncGenerator<Said, Completion> {
  const box = new Mailbox();
  const specs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const answer = model.complete({ role, messages: [...messages], tools: specs, signal }, (delta) =>
    box.push({ type: delta.type, text: delta.text }),
  );
  const ended = answer.then(
    () => box.close(),
    () => box.close(),
  );
  yield* box;
  await ended;
  const completion = await answer;
  used.addTokens(completion.usage);
  return completion;
}

/** One tool call. Whatever goes wrong in it becomes its result: the model may do better next time. */
async function* use(round: Round, call: ToolCall): AsyncGenerator<Said, string> {
  const said = { call_id: mint("call"), tool: call.name, arguments: call.arguments };
  yield { type: "tool_started", ...said };
  const result = cut(await resultOf(round, call), round.limits.resultChars);
  yield { type: "tool_completed", ...said, result };
  return result;
}

async function resultOf({ tools, request, env, signal }: Round, call: ToolCall): Promise<string> {
  const found = tools.find((candidate) => candidate.name === call.name);
  if (found === undefined)
    return `Error: there is no tool ${call.name}. There are: ${tools.map((t) => t.name).join(", ")}.`;
  try {
    return await until(signal, found.call(parseArguments(call.arguments), { request, env, signal }));
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Fault) return `Error: ${thrown.message}`;
    console.error(`tool ${call.name} failed`, thrown);
    return "Error: the tool failed.";
  }
}

function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("invalid_request", "The arguments are not JSON.", { cause });
  }
}

/** A tool that does not listen to the signal is left behind when it fires. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function cut(result: string, limit: number): string {
  return result.length <= limit
    ? result
    : `${result.slice(0, limit)}\n[${result.length - limit} more characters were cut]`;
}

/** The model's own failure, told by its shape: its class lives in a layer that agents do not know. */
function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "ModelFault" && "code" in thrown && typeof thrown.code === "string";
}
