// Repeats a model call until its completion parses.
//
// A run owns its transcript: the completions after the opening messages and the replies to them.
// - A parse error is sent to the model as a correction; after `MAX_ATTEMPTS` mistakes the run fails.
// - A call that failed with a retryable `Failure` or was empty is repeated with the same messages, `MAX_ATTEMPTS`
//   attempts in total.
// - Before each repetition caused by an error, `onRetry` retracts the streamed output of the failed attempt.
// - After each reply the transcript is saved in the step's memo, so that finished calls are not repeated after a
//   crash (T4). All calls are counted in the budget and rejected when it is exhausted (T6).

import * as z from "zod";
import { createMessage } from "../../language/messages.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import { omitNullMembers } from "../../lib/json-value.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import { completeWithinBudget, type Budget } from "./budget.ts";
import {
  type ChatMessage,
  type ModelCompletion,
  type AnswerFormat,
  type Emit,
  type Memo,
  type Model,
  type ModelDelta,
  type Ports,
  type ToolCall,
  type ToolSpec,
} from "../ports.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/** The limit for unusable completions of a run, and for attempts of a single call. */
const MAX_ATTEMPTS = 3;
/** The number of tool calls per completion that are read; further calls are ignored. Each one needs a reply. */
const MAX_TOOL_CALLS = 32;
/** The maximum length of the validation errors that are sent to the model. */
const MAX_MISTAKE_CHARS = 2_000;

/** A model request that is repeated until its completion parses. */
export type RepeatableRequest = {
  readonly model: Model;
  readonly budget: Budget;
  readonly role: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  readonly mustCall?: boolean;
  readonly callsOnce?: boolean;
  readonly format?: AnswerFormat;
  /** Overrides the limit of `MAX_ATTEMPTS` for unusable completions. */
  readonly maxMistakes?: number;
  readonly signal: AbortSignal;
  /** Passes an empty completion (no text, no call) to the parser instead of repeating the call. */
  readonly allowsEmpty?: true;
  readonly onDelta: (delta: ModelDelta) => void;
  /** Retracts the streamed output before a repetition. `attempt` is the number of the coming attempt, at least 2. */
  readonly onRetry: (attempt: number) => void;
};

/** The messages after the opening messages of a request: completions and the replies to them. */
export type CompletionTranscript = readonly ChatMessage[];

/**
 * The result of parsing a completion: the outcome, or messages to send back to the model. `isMistake` counts the
 * completion as unusable and retracts its output.
 */
export type ParseResult<T> =
  | { readonly kind: "outcome"; readonly value: T }
  /** Replies to all tool calls, or a remark about the text. The model is called again with them. */
  | { readonly kind: "reply"; readonly messages: readonly ChatMessage[]; readonly isMistake: boolean };

/**
 * Calls the model until `parse` returns an outcome for a completion and the transcript before it, and returns that
 * outcome. Only the first `MAX_TOOL_CALLS` tool calls are passed on. Continues from the transcript that an interrupted
 * run saved (T4). Rejects with a `Failure` (`model_malformed` after `MAX_ATTEMPTS` mistakes), with a `Failure`
 * (`budget_exceeded`), or with the signal's reason.
 */
export async function completeUntilValid<T>(
  request: RepeatableRequest,
  memo: Memo<CompletionTranscript>,
  parse: (completion: ModelCompletion, before: CompletionTranscript) => ParseResult<T> | Promise<ParseResult<T>>,
): Promise<T> {
  let transcript = memo.saved ?? [];
  let mistakes = 0;
  for (;;) {
    const answer = await completeOrRetry({ ...request, messages: [...request.messages, ...transcript] });
    const completion = { ...answer, toolCalls: answer.toolCalls.slice(0, MAX_TOOL_CALLS) };
    const parsed = await parse(completion, transcript);
    if (parsed.kind === "outcome") return parsed.value;
    if (parsed.isMistake) mistakes += 1;
    if (mistakes >= (request.maxMistakes ?? MAX_ATTEMPTS)) {
      throw new Failure("model_malformed", createMessage("model.unusableAnswers"), { retryable: false });
    }
    transcript = [...transcript, toAssistantMessage(completion), ...parsed.messages];
    if (parsed.isMistake) request.onRetry(mistakes + 1);
    memo.save(transcript);
  }
}

/** Returns a completion as a message for the next request. */
export function toAssistantMessage({ text, toolCalls }: ModelCompletion): ChatMessage {
  return { role: "assistant", content: text, toolCalls };
}

/** Makes one model call. Repeats it after a retryable `Failure` or an empty completion. */
async function completeOrRetry(request: RepeatableRequest): Promise<ModelCompletion> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { role, messages, tools, mustCall = false, callsOnce = false, format, signal } = request;
      const completion = await completeWithinBudget(
        request.budget,
        request.model,
        { role, messages, tools, mustCall, callsOnce, format, attempt, signal },
        request.onDelta,
      );
      const isEmpty = completion.text.trim() === "" && completion.toolCalls.length === 0;
      if (request.allowsEmpty === true || !isEmpty) return completion;
      throw new Failure("model_malformed", createMessage("model.emptyAnswer"), { retryable: true });
    } catch (thrown) {
      const canRetry = thrown instanceof Failure && thrown.retryable && attempt < MAX_ATTEMPTS;
      if (!canRetry) throw thrown;
      request.onRetry(attempt + 1);
    }
  }
}

/**
 * Returns an `onRetry` callback that emits `task_retrying` for a scope, which retracts the scope's output of the step.
 */
export function createRetryHandler(
  { formatMessage }: Pick<Ports, "formatMessage">,
  emit: Emit,
  scope: { thread_id: string; task_id: string; agent_name: string },
): RepeatableRequest["onRetry"] {
  return (attempt) =>
    emit({
      event: "task_retrying",
      data: {
        ...scope,
        role: "agent",
        payload: { content: formatMessage(createMessage("turn.modelRetry")), attempt },
      },
    });
}

/**
 * Parses the arguments of a tool call as JSON and validates them; null members count as absent. Never throws: `mistake`
 * is a sentence for the model.
 */
export function parseToolArguments<T>(
  schema: z.ZodType<T>,
  call: ToolCall,
): { readonly value: T } | { readonly mistake: string } {
  const json = tryParseJson(call.arguments);
  if (json === undefined) return { mistake: `The arguments of ${call.name} are not JSON.` };
  const parsed = schema.safeParse(omitNullMembers(json));
  if (parsed.success) return { value: parsed.data };
  const issues = truncateWithEllipsis(z.prettifyError(parsed.error), MAX_MISTAKE_CHARS);
  return { mistake: `The arguments of ${call.name} are wrong: ${issues}` };
}

/**
 * Creates the reply to an unusable completion: an error result for each tool call or, without calls, a user message. It
 * counts as a mistake.
 */
export function createCorrection(calls: readonly ToolCall[], mistake: string): ParseResult<never> {
  const messages: ChatMessage[] =
    calls.length === 0
      ? [{ role: "user", content: mistake }]
      : calls.map((call) => ({ role: "tool", toolCallId: call.id, content: `Error: ${mistake}` }));
  return { kind: "reply", messages, isMistake: true };
}

/**
 * Creates a tool declaration; the zod schema becomes the JSON Schema of the parameters. It is converted by the first
 * read, because modules create their declarations while the isolate starts.
 */
export function createToolSpec(name: string, description: string, schema: z.ZodType): ToolSpec {
  let parameters: ToolSpec["parameters"] | undefined;
  return {
    name,
    description,
    get parameters() {
      return (parameters ??= toParameters(schema));
    },
  };
}

function toParameters(schema: z.ZodType): ToolSpec["parameters"] {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return parameters;
}
