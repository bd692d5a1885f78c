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
): AsyncGenerator<AgentRunEvent, ParsedToolCall<Expected> | UnusableReply> {
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

/**
 * Creates the two messages that make the model correct an unusable reply: its own reply, and the problem or, after a
 * text, the demand to call `expectedName`. `attempt` makes the call id unique within the prompt.
 */
export function createCorrection(reply: UnusableReply, expectedName: string, attempt: number): ModelMessage[] {
  if (reply.kind === "text")
    return [
      { role: "assistant", content: reply.text },
      { role: "user", content: `Call ${expectedName}. 请调用 ${expectedName}。` },
    ];
  const id = `${reply.name}-${attempt}`;
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name: reply.name, arguments: reply.arguments }] },
    { role: "tool", toolCallId: id, content: reply.problem },
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
): ParsedToolCall<Expected> | UnusableReply {
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
