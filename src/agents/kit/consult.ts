// One model call whose reply must be one of several given tool calls.

import * as z from "zod";
import { jsonIn } from "../../protocol/json-text.ts";
import type { Model, Said } from "./agent.ts";
import type { Allowance } from "./limits.ts";
import type { ChatMessage } from "./prompt.ts";
import { specsOf, think } from "./think.ts";

/** A tool call that the model may reply with. */
export type Wanted<Schema extends z.ZodType = z.ZodType> = {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** The JSON Schema that the model receives, if `schema` accepts more than the model should send. */
  readonly parameters?: Readonly<Record<string, unknown>>;
};

/** The model, role, budget and system message of a model call. */
export type Asking = {
  readonly role: string;
  readonly model: Model;
  readonly signal: AbortSignal;
  readonly used: Allowance;
  readonly system: ChatMessage;
};

/** A call whose arguments match the schema. `arguments` is their original text. */
type Called<One> = One extends { readonly name: infer Name; readonly schema: infer Schema extends z.ZodType }
  ? { readonly kind: "called"; readonly name: Name; readonly value: z.output<Schema>; readonly arguments: string }
  : never;

/** A reply that is not a usable call. */
export type Unread =
  /** A call that cannot be parsed; `problem` explains it to the model. */
  | { readonly kind: "malformed"; readonly name: string; readonly arguments: string; readonly problem: string }
  | { readonly kind: "text"; readonly text: string };

/**
 * Asks the model and returns its first tool call, parsed, or the plain text if it made no call. Text beside a call is
 * dropped: only reasoning, usage and keepalive events are yielded. Throws `AgentLimitError` if the budget allows no
 * further call; errors of the model pass through.
 */
export async function* consult<const One extends Wanted>(
  { role, model, signal, used, system }: Asking,
  wanted: One | readonly One[],
  messages: readonly ChatMessage[],
): AsyncGenerator<Said, Called<One> | Unread> {
  const all: readonly One[] = [wanted].flat() as One[];
  const tools = specsOf(all.map(specOf));
  const thinking = think(model, { role, messages: [system, ...messages], tools, signal }, used, {
    mayRetract: true,
    mayBeSilent: true,
  });
  for (;;) {
    const { done, value } = await thinking.next();
    if (done !== true) {
      const isSaid = value.type === "text" && value.text !== "";
      if (!isSaid && value.type !== "retracted") yield value;
      continue;
    }
    const [call] = value.toolCalls;
    return call === undefined ? { kind: "text", text: value.text.trim() } : read(all, call);
  }
}

/**
 * Creates the messages that make the model correct an unusable reply: its own turn, and the problem. `call` is the
 * name of the expected tool.
 */
export function correctionOf(reply: Unread, call: string, attempt: number): ChatMessage[] {
  if (reply.kind === "text")
    return [
      { role: "assistant", content: reply.text },
      { role: "user", content: `Call ${call}. 请调用 ${call}。` },
    ];
  const id = `${reply.name}-${attempt}`;
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name: reply.name, arguments: reply.arguments }] },
    { role: "tool", toolCallId: id, content: reply.problem },
  ];
}

function specOf({ name, description, schema, parameters }: Wanted) {
  return {
    name,
    description,
    parameters: parameters ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  };
}

function read<One extends Wanted>(
  wanted: readonly One[],
  call: { readonly name: string; readonly arguments: string },
): Called<One> | Unread {
  const { name } = call;
  const malformed = (problem: string): Unread => ({ kind: "malformed", name, arguments: call.arguments, problem });
  const one = wanted.find((known) => known.name === name);
  if (one === undefined)
    return malformed(`There is no tool ${name} here. Call ${wanted.map((known) => known.name).join(" or ")}.`);
  const given = jsonIn(call.arguments);
  if (given === undefined) return malformed("The arguments are not JSON.");
  const parsed = one.schema.safeParse(given);
  if (!parsed.success) return malformed(`Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
  return { kind: "called", name, value: parsed.data, arguments: call.arguments } as Called<One>;
}
