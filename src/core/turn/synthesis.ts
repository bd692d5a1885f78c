// The synthesis, the last stage of a plan with several tasks, or of any plan whose answer must have a format: one
// streamed answer from the task results.
//
// Every number of the answer has a source: the request, the tasks or their results. A sentence without numbers streams
// at once; a sentence with numbers is shown when it has ended and was checked. Buffering whole answers would delay the
// first word of all of them. The model corrects its answer once; numbers that still have no source are marked. An
// answer in a format is JSON, which a mark would break: it is corrected in the same way, but not marked.

import { createMessage } from "../../language/messages.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import {
  collectNumberSources,
  findUnsourcedNumbers,
  formatNumberCorrection,
  type NumberSources,
} from "../../protocol/provenance/number-sources.ts";
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
import { SourcedWriter } from "../models/sourced-writer.ts";
import type { ChatMessage } from "../ports.ts";
import { DeltaWriter } from "../models/delta-writer.ts";
import { Failure } from "../../protocol/wire/message-error.ts";
import { formatResultList } from "./list-results.ts";

/**
 * Streams the answer as the step `synthesis`. Resolves with null after the answer is published. Results share
 * `MAX_RESULTS_CHARS` equally. If the model fails or the budget is exhausted, the answer lists the results by task, unless it must
 * have a format. Rejects with a `Failure` for such an answer, and with the signal's reason.
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
    const deltas = new DeltaWriter(eventScope, emit);
    const publishRetry = createRetryHandler(ports, emit, eventScope);
    const answer = openAnswer(turn, ended, deltas, memo.saved);
    let attempt = 1;
    const modelRequest: RepeatableRequest = {
      model: ports.model,
      budget,
      role: "synthesis",
      messages: createMessages(turn, ended, verification),
      tools: [],
      ...(format === undefined ? {} : { format, maxMistakes: MAX_FORMAT_MISTAKES }),
      signal: turn.signal,
      onDelta: answer.write,
      onRetry: (next) => {
        attempt = next;
        answer.restart();
        deltas.reset();
        publishRetry(next);
      },
    };
    try {
      await completeUntilValid(modelRequest, memo, ({ text, toolCalls }): ParseResult<null> => {
        const mistake = answer.findMistake(text);
        return mistake === null ? { kind: "outcome", value: null } : createCorrection(toolCalls, mistake);
      });
    } catch (thrown) {
      if (turn.signal.aborted || format !== undefined || !(thrown instanceof Failure)) throw thrown;
      if (deltas.hasOutput) modelRequest.onRetry(attempt + 1);
      deltas.write({ type: "text", text: formatResultList(ports, ended, thrown, getResultChars(ended)) });
    }
    return { value: null, closing: deltas.close(), isLast: true };
  });
}

/**
 * Returns the functions that write and check the attempts of one answer. `transcript` is that of an interrupted run, in
 * which the model was corrected.
 */
function openAnswer(
  { request, ports }: TurnContext,
  ended: readonly EndedTask[],
  deltas: DeltaWriter,
  transcript: CompletionTranscript | null,
) {
  const format = request.answer?.format;
  const sources = collectAnswerSources(request.message, ended);
  const mark = ports.formatMessage(createMessage("answer.unverifiedNumber"));
  let isCorrected = transcript !== null && transcript.length > 0;
  const writer = new SourcedWriter({ sources, mark, isCorrected }, deltas.write);
  const findMistakeInText = (text: string): string | null => {
    const unsourced = format === undefined ? writer.close() : findUnsourcedNumbers(text, sources);
    if (text.trim() === "") return "Answer in words.";
    const mistake = format === undefined ? null : findFormatMistake(format, text);
    if (mistake !== null || isCorrected || unsourced.length === 0) return mistake;
    return formatNumberCorrection(unsourced);
  };
  return {
    write: format === undefined ? writer.write : deltas.write,
    restart: () => writer.openNext(isCorrected),
    /** Returns a sentence for the model if it has to correct the text; otherwise null. Numbers are corrected once. */
    findMistake: (text: string): string | null => {
      const mistake = findMistakeInText(text);
      if (mistake !== null) isCorrected = true;
      return mistake;
    },
  };
}

/** Creates the system message and the request with the results. */
function createMessages(
  { request }: TurnContext,
  ended: readonly EndedTask[],
  verification: Verification | null,
): ChatMessage[] {
  const format = request.answer?.format;
  const system = [SYNTHESIS_PROMPT, ...(format === undefined ? [] : [formatAnswerFormat(format)])].join("\n\n");
  const maxChars = getResultChars(ended);
  const entries = ended.map((task) => toSynthesisEntry(task, verification, maxChars));
  return [
    { role: "system", content: system },
    { role: "user", content: buildSynthesisRequest(request.message, entries) },
  ];
}

/**
 * Collects the numbers that the answer may contain: those of the request, of the tasks with their results and errors,
 * and the numbers of tasks that ended in each way.
 */
function collectAnswerSources(message: string, ended: readonly EndedTask[]): NumberSources {
  const outcomes = ended.map(({ task, ...outcome }) => [task.title, task.query, outcome]);
  const counts = [...Map.groupBy(ended, ({ status }) => status).values()].map((tasks) => tasks.length);
  return collectNumberSources(message, outcomes, counts);
}

function getResultChars({ length }: readonly EndedTask[]): number {
  return Math.floor(MAX_RESULTS_CHARS / Math.max(1, length));
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
