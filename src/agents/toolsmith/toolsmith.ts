// The toolsmith. It splits a request into sub-tasks, carries out each with a saved or new tool, and writes the
// answer.
//
// Sub-tasks run one at a time, in their order. A checkpoint precedes every sub-task and every further stage, so that
// a crash normally repeats one stage. A failed sub-task does not stop the others (X19); only if all have failed and
// one of them threw, the run fails with its error. New code may need approval: then the run ends with a question
// whose state holds everything, and continues after the answer.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { QuestionAnswer } from "../../protocol/wire/question.ts";
import type { AgentRunEvent, ModelAgentDefinition, ModelRunContext } from "../kit/agent.ts";
import { parseState, type RunQuestion } from "../kit/ask.ts";
import { toFailedEvent } from "../kit/run-failure.ts";
import { Checkpointer } from "../kit/checkpointer.ts";
import { AgentBudget, type AgentLimits } from "../kit/agent-limits.ts";
import { createOpeningMessages } from "../kit/agent-prompt.ts";
import { createCodeQuestion, decideCodeApproval } from "./code-approval.ts";
import { isPublicError, getPublicReason, type ToolsmithContext } from "./toolsmith-context.ts";
import { toolsmithCard } from "./toolsmith-card.ts";
import type { Subtask } from "./offered-tools.ts";
import { localizeReply } from "./toolsmith-messages.ts";
import { createProgressComponent } from "./progress-component.ts";
import { TOOLSMITH_INSTRUCTIONS, type SubtaskContext } from "./toolsmith-prompts.ts";
import { splitRequest } from "./split-request.ts";
import {
  toolsmithStateSchema,
  type SubtaskOutcome,
  type SubtaskState,
  type ToolsmithState,
} from "./toolsmith-state.ts";
import { advanceSubtask, INITIAL_SUBTASK_STATE, createFailedOutcome } from "./advance-subtask.ts";
import { writeAnswer } from "./write-answer.ts";

const TOOLSMITH_LIMITS: AgentLimits = { modelCalls: 45, toolCalls: 0, tokens: 200_000, seconds: 240, resultChars: 0 };

/** The dependencies of a run besides the model. */
export type ToolsmithPorts = Pick<ToolsmithContext, "sandbox" | "registry">;

/**
 * Creates the agent. `createPorts` provides the sandbox and the tools of the user who asks. Errors that are meant for
 * people become a `failed` event; others are thrown.
 */
export function createToolsmith(
  createPorts: (request: AgentRequest, context: ModelRunContext) => ToolsmithPorts,
): ModelAgentDefinition {
  return {
    card: toolsmithCard,
    async *run(request, context) {
      const timeoutSignal = AbortSignal.timeout(TOOLSMITH_LIMITS.seconds * 1000);
      const signal = AbortSignal.any([context.signal, timeoutSignal]);
      try {
        yield* runToolsmith({ request, context, signal, ...createPorts(request, context) });
      } catch (thrown) {
        yield toFailedEvent(thrown, request, timeoutSignal, TOOLSMITH_LIMITS);
      }
    },
  };
}

type ToolsmithJob = ToolsmithPorts & {
  readonly request: AgentRequest;
  readonly context: ModelRunContext;
  readonly signal: AbortSignal;
};

async function* runToolsmith(job: ToolsmithJob): AsyncGenerator<AgentRunEvent> {
  const { request } = job;
  const storedState = request.reply ?? request.checkpoint;
  let state = storedState === undefined ? null : parseState(request, toolsmithStateSchema);
  const ctx = createToolsmithContext(job, new AgentBudget(TOOLSMITH_LIMITS, state?.used));
  if (state === null) {
    const tasks = yield* splitRequest(ctx);
    if (tasks === null) return;
    state = { tasks, done: [], standing: INITIAL_SUBTASK_STATE, used: ctx.budget.usage };
  } else if (request.reply !== undefined) {
    const appliedAnswer = applyAnswer(request, state, request.reply.answer);
    if (appliedAnswer.kind === "asks") return void (yield createQuestionEvent(state, appliedAnswer.question));
    ({ state } = appliedAnswer);
  }
  const checkpointer = new Checkpointer(request.checkpoint);
  let firstError: unknown;
  for (let subtask = getNextSubtask(state); subtask !== undefined; subtask = getNextSubtask(state)) {
    yield* checkpointer.save(state);
    yield createProgressComponent(request.task_id, state.tasks, state.done);
    const subtaskEnd: SubtaskEnd = yield* runSubtask(ctx, checkpointer, state, subtask);
    if (subtaskEnd.kind === "asks") return void (yield createQuestionEvent(subtaskEnd.state, subtaskEnd.question));
    firstError ??= subtaskEnd.error;
    state = { ...appendOutcome(state, subtaskEnd.outcome), used: ctx.budget.usage };
  }
  yield* checkpointer.save(state);
  yield createProgressComponent(request.task_id, state.tasks, state.done);
  if (firstError !== undefined && state.done.every(({ status }) => status === "failed")) throw firstError;
  yield* writeAnswer(ctx, state.done);
}

type SubtaskEnd =
  | { readonly kind: "done"; readonly outcome: SubtaskOutcome; readonly error?: unknown }
  | { readonly kind: "asks"; readonly state: ToolsmithState; readonly question: RunQuestion };

/** Runs one sub-task to its end. Errors of the model and the sandbox fail only this sub-task (X19). */
async function* runSubtask(
  ctx: ToolsmithContext,
  checkpointer: Checkpointer,
  before: ToolsmithState,
  subtask: Subtask,
): AsyncGenerator<AgentRunEvent, SubtaskEnd> {
  const subtaskContext = createSubtaskContext(ctx.request, before.done, subtask);
  let subtaskState: SubtaskState = before.standing;
  try {
    for (;;) {
      const step = yield* advanceSubtask(ctx, subtaskContext, subtaskState);
      if (step.kind === "done") return step;
      const state = { ...before, standing: subtaskState, used: ctx.budget.usage };
      if (step.kind === "asks")
        return {
          kind: "asks",
          state,
          question: createCodeQuestion(step.candidate, detectRequestLanguage(ctx.request), step.approval),
        };
      ({ state: subtaskState } = step);
      yield* checkpointer.save({ ...state, standing: subtaskState });
    }
  } catch (thrown) {
    ctx.signal.throwIfAborted();
    if (!isPublicError(thrown)) console.error("A sub-task broke off", thrown);
    return { kind: "done", outcome: createFailedOutcome(subtask, getPublicReason(thrown, ctx.request)), error: thrown };
  }
}

type AppliedAnswer =
  | { readonly kind: "on"; readonly state: ToolsmithState }
  | { readonly kind: "asks"; readonly question: RunQuestion };

/** Applies the person's answer to the code that waits. Throws a `Fault` (`conflict`) if no code waits. */
function applyAnswer(request: AgentRequest, state: ToolsmithState, answer: QuestionAnswer): AppliedAnswer {
  const { at } = state.standing;
  const subtask = getNextSubtask(state);
  if (at.stage !== "try" || subtask === undefined) throw createFault("conflict", "toolsmith.noPendingCode");
  const decision = decideCodeApproval(at.candidate, answer, detectRequestLanguage(request));
  switch (decision.kind) {
    case "ask":
      return { kind: "asks", question: decision.question };
    case "run":
      return {
        kind: "on",
        state: { ...state, standing: { ...state.standing, at: { stage: "try", candidate: decision.candidate } } },
      };
    case "refused":
      return {
        kind: "on",
        state: appendOutcome(state, createFailedOutcome(subtask, localizeReply(request, "toolsmith.codeRefused"))),
      };
  }
}

function createQuestionEvent(state: ToolsmithState, question: RunQuestion): AgentRunEvent {
  return { type: "input_required", ...question, state: JSON.stringify(state) };
}

function getNextSubtask({ tasks, done }: ToolsmithState): Subtask | undefined {
  return tasks[done.length];
}

function appendOutcome(state: ToolsmithState, outcome: SubtaskOutcome): ToolsmithState {
  return { ...state, done: [...state.done, outcome], standing: INITIAL_SUBTASK_STATE };
}

function createSubtaskContext(
  { query, metadata }: AgentRequest,
  done: readonly SubtaskOutcome[],
  subtask: Subtask,
): SubtaskContext {
  const dependencyResults = (metadata.dependencies ?? []).map(({ title, result }) => ({ title, result }));
  const subtaskResults = done.flatMap((outcome) =>
    outcome.status === "completed" ? [{ title: outcome.description, result: outcome.result }] : [],
  );
  const { current_context: context = {} } = metadata;
  return { query, context, subtask, earlierResults: [...dependencyResults, ...subtaskResults] };
}

function createToolsmithContext({ context, ...job }: ToolsmithJob, budget: AgentBudget): ToolsmithContext {
  const [system] = createOpeningMessages(TOOLSMITH_INSTRUCTIONS, job.request);
  const { model, settings } = context;
  return {
    ...job,
    role: `agent:${toolsmithCard.name}`,
    model,
    budget,
    system,
    needsApproval: settings.TOOLSMITH_NEEDS_APPROVAL,
  };
}
