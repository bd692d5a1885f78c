// The synthesis, the last stage of a plan with several tasks, or of any plan whose answer must have a format: one
// streamed answer from the task results.

import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { Verification } from "../../protocol/plans/verification.ts";
import {
  completeUntilValid,
  createCorrection,
  createRetryHandler,
  type ParseResult,
  type CompletionTranscript,
  type RepeatableRequest,
} from "../models/complete-until-valid.ts";
import type { EndedTask } from "./executor.ts";
import { findFormatMistake, MAX_FORMAT_MISTAKES } from "../models/answer-format.ts";
import { SYNTHESIS_PROMPT, buildSynthesisRequest, formatAnswerFormat, type SynthesisEntry } from "../models/prompts.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";
import { DeltaWriter } from "../models/delta-writer.ts";

/**
 * Streams the answer as the step `synthesis`. Resolves with null after the answer is published. Results share
 * `MAX_RESULTS_CHARS` equally. Rejects with a model `Failure`, with a `Failure` (`budget_exceeded`), or with the
 * signal's reason.
 */
export function synthesize(
  turn: TurnContext,
  ended: readonly EndedTask[],
  verification: Verification | null = null,
): Promise<null> {
  const { ports, threadId, request } = turn;
  const format = request.answer?.format;
  const eventScope = getStageScope(threadId, "synthesis");
  const step = { name: "synthesis", scope: eventScope.task_id, agentName: eventScope.agent_name };
  return runBudgetedStep<null, CompletionTranscript>(turn, step, async (emit, budget, memo) => {
    // Check inside the step: the step first retracts the output of an interrupted run.
    turn.signal.throwIfAborted();
    const writer = new DeltaWriter(eventScope, emit);
    const publishRetry = createRetryHandler(ports, emit, eventScope);
    const modelRequest: RepeatableRequest = {
      model: ports.model,
      budget,
      role: "synthesis",
      messages: [
        {
          role: "system",
          content: [SYNTHESIS_PROMPT, ...(format === undefined ? [] : [formatAnswerFormat(format)])].join("\n\n"),
        },
        {
          role: "user",
          content: buildSynthesisRequest(
            request.message,
            ended.map((task) => toSynthesisEntry(task, verification, Math.floor(MAX_RESULTS_CHARS / ended.length))),
          ),
        },
      ],
      tools: [],
      ...(format === undefined ? {} : { format, maxMistakes: MAX_FORMAT_MISTAKES }),
      signal: turn.signal,
      onDelta: writer.write,
      onRetry: (attempt) => {
        writer.reset();
        publishRetry(attempt);
      },
    };
    await completeUntilValid(modelRequest, memo, ({ text, toolCalls }): ParseResult<null> => {
      if (text.trim() === "") return createCorrection(toolCalls, "Answer in words.");
      const mistake = format === undefined ? null : findFormatMistake(format, text);
      return mistake === null ? { kind: "outcome", value: null } : createCorrection(toolCalls, mistake);
    });
    return { value: null, closing: writer.close(), isLast: true };
  });
}

/** The maximum length of all results in characters, to fit the model's context. Readers have the full results. */
const MAX_RESULTS_CHARS = 100_000;

/** Returns the entry of one task in the synthesis request, with its result or error truncated to `maxChars`. */
function toSynthesisEntry(ended: EndedTask, verification: Verification | null, maxChars: number): SynthesisEntry {
  const { title, agent_name, task_id } = ended.task;
  const base = { title, agent_name, status: ended.status };
  if (ended.status !== "completed" && ended.status !== "scheduled") {
    return { ...base, error: truncateWithEllipsis(ended.error, maxChars) };
  }
  const result = truncateWithEllipsis(ended.result, maxChars);
  const entry = verification?.checklist.find((checked) => checked.task_id === task_id);
  if (entry === undefined) return { ...base, result };
  const { verified, reason } = entry;
  return { ...base, result, verification: { verified, ...(reason === undefined ? {} : { reason }) } };
}
