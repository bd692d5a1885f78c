// A model call that must end in a tool call or in text, with bounded second chances: what a model
// gets wrong is told to it, and it may try again.

import * as z from "zod";
import { jsonIn } from "../protocol/json-text.ts";
import { withoutNulls } from "../protocol/json.ts";
import { shortened } from "../protocol/shortened.ts";
import { spend, type Budget } from "./budget.ts";
import {
  ModelFault,
  type ChatMessage,
  type Completion,
  type Emit,
  type Memo,
  type Model,
  type ModelDelta,
  type ToolCall,
  type ToolSpec,
} from "./ports.ts";

const MAX_ATTEMPTS = 3;
/** Calls of one completion that are read: each is answered, and all of it is said again. */
const MOST_CALLS = 32;
const MAX_MISTAKE = 2_000;

export type Talk = {
  readonly model: Model;
  readonly budget: Budget;
  readonly role: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  readonly signal: AbortSignal;
  /** An answer without a word or a call is one to read, and not to be asked for again. */
  readonly mayBeSilent?: true;
  readonly hear: (delta: ModelDelta) => void;
  /** Takes back what was heard, before the call is made again. */
  readonly restart: (attempt: number) => void;
};

/** What was said after the opening messages of a talk: the completions and what was answered to them. */
export type Tail = readonly ChatMessage[];

/** What a reader of completions says of one: the outcome, or what to tell the model. */
export type Reading<T> =
  | { readonly kind: "outcome"; readonly value: T }
  /** The answers to all its tool calls, or a remark on its text; the talk goes on. */
  | { readonly kind: "reply"; readonly messages: readonly ChatMessage[]; readonly isMistake: boolean };

/**
 * Talks with the model until `read` finds an outcome in a completion, given with what was said before it. Goes
 * on from what an interrupted talk kept: a call that has finished is not made again (T4).
 * Rejects with a `ModelFault` when there is no outcome.
 */
export async function converse<T>(
  talk: Talk,
  memo: Memo<Tail>,
  read: (completion: Completion, before: Tail) => Reading<T>,
): Promise<T> {
  let tail = memo.kept ?? [];
  let mistakes = 0;
  for (;;) {
    const whole = await completeOrRetry({ ...talk, messages: [...talk.messages, ...tail] });
    const completion = { ...whole, toolCalls: whole.toolCalls.slice(0, MOST_CALLS) };
    const reading = read(completion, tail);
    if (reading.kind === "outcome") return reading.value;
    if (reading.isMistake) mistakes += 1;
    if (mistakes >= MAX_ATTEMPTS) {
      const message = "The model kept giving answers that could not be used. Please try again or put it differently.";
      throw new ModelFault("model_malformed", message, { retryable: false });
    }
    tail = [...tail, said(completion), ...reading.messages];
    if (reading.isMistake) talk.restart(mistakes + 1);
    memo.keep(tail);
  }
}

/** A completion as the model is shown it again. */
export function said({ text, toolCalls }: Completion): ChatMessage {
  return { role: "assistant", content: text, toolCalls };
}

/** One call, made again when its stream broke or could not be read. */
async function completeOrRetry(talk: Talk): Promise<Completion> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { role, messages, tools, signal } = talk;
      const completion = await spend(talk.budget, talk.model, { role, messages, tools, attempt, signal }, talk.hear);
      const isSilent = completion.text.trim() === "" && completion.toolCalls.length === 0;
      if (talk.mayBeSilent === true || !isSilent) return completion;
      throw new ModelFault("model_malformed", "The model gave an empty answer. Please try again.", { retryable: true });
    } catch (thrown) {
      const isWorthwhile = thrown instanceof ModelFault && thrown.retryable && attempt < MAX_ATTEMPTS;
      if (!isWorthwhile) throw thrown;
      talk.restart(attempt + 1);
    }
  }
}

/** Starts a stage over in front of the reader: everything it had said is taken back. */
export function restarting(
  emit: Emit,
  scope: { thread_id: string; task_id: string; agent_name: string },
): Talk["restart"] {
  return (attempt) =>
    emit({
      event: "task_retrying",
      data: {
        ...scope,
        role: "agent",
        payload: { content: "The model's answer broke off or made no sense; asking again.", attempt },
      },
    });
}

/** Reads the arguments of a call. A mistake comes back as a sentence for the model. */
export function argumentsOf<T>(
  schema: z.ZodType<T>,
  call: ToolCall,
): { readonly value: T } | { readonly mistake: string } {
  const json = jsonIn(call.arguments);
  if (json === undefined) return { mistake: `The arguments of ${call.name} are not JSON.` };
  const parsed = schema.safeParse(withoutNulls(json));
  if (parsed.success) return { value: parsed.data };
  const issues = shortened(z.prettifyError(parsed.error), MAX_MISTAKE);
  return { mistake: `The arguments of ${call.name} are wrong: ${issues}` };
}

/** Tells the model that its calls cannot be used; every call needs its answer. */
export function correction(calls: readonly ToolCall[], mistake: string): Reading<never> {
  const messages: ChatMessage[] =
    calls.length === 0
      ? [{ role: "user", content: mistake }]
      : calls.map((call) => ({ role: "tool", toolCallId: call.id, content: `Error: ${mistake}` }));
  return { kind: "reply", messages, isMistake: true };
}

/** A zod schema as the JSON Schema of a tool's parameters. */
export function toolSpec(name: string, description: string, schema: z.ZodType): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return { name, description, parameters };
}
