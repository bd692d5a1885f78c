// One model call whose reply must be one of several given tool calls.

import * as z from "zod";
import { tryParseJson } from "../../../lib/parse-json.ts";
import type { AgentModel, AgentRunEvent } from "../agent.ts";
import type { AgentBudget } from "../agent-limits.ts";
import type { ModelMessage } from "../agent-prompt.ts";
import { toToolSpecs, callModel } from "../call-model.ts";

/** A tool call that the model may reply with. */
export type ExpectedTool<Schema extends z.ZodType = z.ZodType> = {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** The JSON Schema that the model receives, if `schema` accepts more than the model should send. */
  readonly parameters?: Readonly<Record<string, unknown>>;
};

/** The model, role, budget and system message of a model call. */
export type ModelCallSettings = {
  readonly role: string;
  readonly model: AgentModel;
  readonly signal: AbortSignal;
  readonly budget: AgentBudget;
  readonly system: ModelMessage;
};

/** A call whose arguments match the schema. `arguments` is their original text. */
type ParsedToolCall<Expected> = Expected extends {
  readonly name: infer Name;
  readonly schema: infer Schema extends z.ZodType;
}
  ? { readonly kind: "called"; readonly name: Name; readonly value: z.output<Schema>; readonly arguments: string }
  : never;

/** A reply that is not a usable call. */
export type UnusableReply =
  /** A call that cannot be parsed; `problem` explains it to the model. */
  | { readonly kind: "malformed"; readonly name: string; readonly arguments: string; readonly problem: string }
  | { readonly kind: "text"; readonly text: string };

/**
 * Asks the model and returns its first tool call, parsed, or its trimmed text, possibly empty, if it made no call.
 * Further calls, and text beside a call, are dropped; only reasoning, usage and keepalive events are yielded. A
 * malformed call is not repeated here. Throws `agent_exhausted` if the budget allows no call, and errors of the model.
 */
export async function* requestToolCall<const Expected extends ExpectedTool>(
  { role, model, signal, budget, system }: ModelCallSettings,
  expected: Expected | readonly Expected[],
  messages: readonly ModelMessage[],
): AsyncGenerator<AgentRunEvent, ToolReply<Expected>> {
  const expectedTools: readonly Expected[] = [expected].flat() as Expected[];
  const tools = toToolSpecs(expectedTools.map(toToolSpec));
  const modelCall = callModel(model, { role, messages: [system, ...messages], tools, signal }, budget, {
    mayRetract: true,
    mayBeEmpty: true,
  });
  for (;;) {
    const { done, value } = await modelCall.next();
    if (done !== true) {
      const isOutputText = value.type === "text" && value.text !== "";
      if (!isOutputText && value.type !== "retracted") yield value;
      continue;
    }
    const [call] = value.toolCalls;
    return call === undefined ? { kind: "text", text: value.text.trim() } : parseToolCall(expectedTools, call);
  }
}

/** A reply of the model: a parsed call of one of the expected tools, or an unusable reply. */
export type ToolReply<Expected extends ExpectedTool = ExpectedTool> = ParsedToolCall<Expected> | UnusableReply;

/** The judgement of a reply. `problem` is written for the model; without it, that of a malformed call is used. */
export type ReplyVerdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem?: string };

/**
 * Asks the model until `judge` accepts a reply, at most `maxAttempts` times, and returns the accepted value; null after
 * the last attempt. Each rejected reply is sent back to the model with its problem. Throws like `requestToolCall`.
 */
export async function* requestUntilAccepted<const Expected extends ExpectedTool, T>(
  settings: ModelCallSettings,
  expected: Expected | readonly Expected[],
  prompt: string,
  maxAttempts: number,
  judge: (reply: ToolReply<Expected>) => ReplyVerdict<T>,
): AsyncGenerator<AgentRunEvent, { readonly value: T } | null> {
  const names = [expected].flat().map(({ name }) => name);
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const reply = yield* requestToolCall(settings, expected, messages);
    const verdict = judge(reply);
    if (verdict.ok) return verdict;
    messages.push(...createCorrection(reply, verdict.problem ?? "", names.join(" or "), attempt));
  }
  return null;
}

/**
 * Creates the messages that make the model correct a reply: its own reply, and the problem or, after a text, the demand
 * to call `expectedName`. `attempt` makes the call id unique within the prompt.
 */
function createCorrection(reply: ToolReply, problem: string, expectedName: string, attempt: number): ModelMessage[] {
  if (reply.kind === "text")
    return [
      { role: "assistant", content: reply.text },
      { role: "user", content: `Call ${expectedName}. 请调用 ${expectedName}。` },
      ...(problem === "" ? [] : [{ role: "user", content: problem } as const]),
    ];
  const id = `${reply.name}-${attempt}`;
  const content = problem === "" && reply.kind === "malformed" ? reply.problem : problem;
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name: reply.name, arguments: reply.arguments }] },
    { role: "tool", toolCallId: id, content },
  ];
}

function toToolSpec({ name, description, schema, parameters }: ExpectedTool) {
  return {
    name,
    description,
    parameters: parameters ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  };
}

function parseToolCall<Expected extends ExpectedTool>(
  expected: readonly Expected[],
  call: { readonly name: string; readonly arguments: string },
): ToolReply<Expected> {
  const { name } = call;
  const malformed = (problem: string): UnusableReply => ({
    kind: "malformed",
    name,
    arguments: call.arguments,
    problem,
  });
  const expectedTool = expected.find((tool) => tool.name === name);
  if (expectedTool === undefined)
    return malformed(`There is no tool ${name} here. Call ${expected.map((tool) => tool.name).join(" or ")}.`);
  const args = tryParseJson(call.arguments);
  if (args === undefined) return malformed("The arguments are not JSON.");
  const parsed = expectedTool.schema.safeParse(args);
  if (!parsed.success) return malformed(`Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
  return { kind: "called", name, value: parsed.data, arguments: call.arguments } as ParsedToolCall<Expected>;
}
