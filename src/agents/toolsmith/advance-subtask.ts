// The stages of one sub-task: search → (use_existing | generate) → safety_check → execute → register.
//
// `advanceSubtask` runs one stage and returns the next state, so that the caller can save a checkpoint between
// stages. A problem with a tool is returned to the model, which may try again, at most three times; then the sub-task
// fails, and only this one (X19). A saved tool that fails is not repaired: a new one is written.

import type { AgentRunEvent } from "../kit/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { assertNever } from "../../lib/assert.ts";
import type { StoredTool } from "../../protocol/tools/stored-tool.ts";
import { runStep, type ToolsmithContext } from "./toolsmith-context.ts";
import {
  checkSafety,
  createCandidate,
  hashCandidate,
  toToolDraft,
  toWrittenTool,
  type SafetyVerdict,
} from "./tool-candidate.ts";
import { findCodeOrigins, type CodeOrigins } from "./code-origins.ts";
import { requestToolCall, requestUntilAccepted } from "../kit/tools/request-tool-call.ts";
import { CHOOSE_TOOL, WRITE_TOOL } from "./offered-tools.ts";
import { executeCandidate } from "./execute-candidate.ts";
import { localizeReply } from "./toolsmith-messages.ts";
import {
  toCorrectionMessages,
  createChoosePrompt,
  createWritePrompt,
  type SubtaskContext,
} from "./toolsmith-prompts.ts";
import type { Subtask } from "./offered-tools.ts";
import type { FailedAttempt, ToolCandidate, SubtaskOutcome, SubtaskState } from "./toolsmith-state.ts";

const MAX_ATTEMPTS = 3;

/** The result of a stage: the next state (`on`), code that the person must approve (`asks`), or the end (`done`). */
export type SubtaskTransition =
  | { readonly kind: "on"; readonly state: SubtaskState }
  | { readonly kind: "asks"; readonly candidate: ToolCandidate; readonly approval: CodeOrigins }
  | { readonly kind: "done"; readonly outcome: SubtaskOutcome };

/** The state in which a sub-task starts: the search for a saved tool. */
export const INITIAL_SUBTASK_STATE: SubtaskState = { at: { stage: "search" }, attempts: [] };

/**
 * Runs the next stage of a sub-task, yields its tool events and returns the transition. A problem with a tool leads to
 * the next attempt or, after the third, to a failed outcome. Throws `agent_exhausted` and errors of the model and the
 * sandbox.
 */
export async function* advanceSubtask(
  ctx: ToolsmithContext,
  subtaskContext: SubtaskContext,
  state: SubtaskState,
): AsyncGenerator<AgentRunEvent, SubtaskTransition> {
  const { at } = state;
  switch (at.stage) {
    case "search":
      return yield* chooseSavedTool(ctx, subtaskContext);
    case "write":
      return yield* writeNewTool(ctx, subtaskContext, state.attempts);
    case "try":
      return yield* tryCandidate(ctx, subtaskContext, at.candidate, state.attempts);
    default:
      return assertNever(at);
  }
}

/** Chooses a saved tool with valid arguments, or leads to writing a new tool (F94). */
async function* chooseSavedTool(
  ctx: ToolsmithContext,
  subtaskContext: SubtaskContext,
): AsyncGenerator<AgentRunEvent, SubtaskTransition> {
  const { subtask } = subtaskContext;
  const tools = yield* searchSavedTools(ctx, subtaskContext);
  if (tools.length === 0) return createWriteTransition([]);
  const prompt = createChoosePrompt(subtaskContext, tools);
  const accepted = yield* requestUntilAccepted(ctx, CHOOSE_TOOL, prompt, MAX_ATTEMPTS, (reply) => {
    if (reply.kind === "malformed") return { ok: false };
    if (reply.kind === "text" || !reply.value.use_existing) return { ok: true, value: null };
    const { tool_name, arguments: toolArguments, reason } = reply.value;
    const tool = tools.find(({ name }) => name === tool_name);
    if (tool === undefined) return describeMissingTool(tool_name, tools);
    const result = createCandidate({ ...tool, arguments: toolArguments ?? {} }, "kept");
    return result.ok ? { ok: true, value: { tool, candidate: result.candidate, reason } } : result;
  });
  const choice = accepted?.value ?? null;
  if (choice === null) return createWriteTransition([]);
  const { tool, candidate, reason } = choice;
  const stepArguments = { task_id: subtask.id, tool: candidate.name, arguments: candidate.arguments, reason };
  yield* runStep(
    ctx,
    "use_existing",
    stepArguments,
    () => Promise.resolve(tool),
    ({ version }) => ({ version }),
  );
  return { kind: "on", state: { at: { stage: "try", candidate }, attempts: [] } };
}

async function* searchSavedTools(
  ctx: ToolsmithContext,
  { subtask }: SubtaskContext,
): AsyncGenerator<AgentRunEvent, readonly StoredTool[]> {
  const { id: task_id, description, category } = subtask;
  return yield* runStep(
    ctx,
    "search",
    { task_id, description, category },
    () => ctx.registry.search(description, category),
    (tools) => ({ candidates: tools.map(({ name }) => name) }),
  );
}

/** Lets the model write a tool: the next attempt (F96). */
async function* writeNewTool(
  ctx: ToolsmithContext,
  subtaskContext: SubtaskContext,
  attempts: readonly FailedAttempt[],
): AsyncGenerator<AgentRunEvent, SubtaskTransition> {
  const { id, description } = subtaskContext.subtask;
  const lastAttempt = attempts.at(-1);
  if (lastAttempt !== undefined && attempts.length >= MAX_ATTEMPTS) {
    return createFailedTransition(
      subtaskContext,
      localizeReply(
        ctx.request,
        createMessage("toolsmith.noTool", { attempts: MAX_ATTEMPTS, problem: lastAttempt.problem }),
      ),
    );
  }
  const prompt = { role: "user", content: createWritePrompt(subtaskContext) } as const;
  const reply = yield* runStep(
    ctx,
    "generate",
    { task_id: id, description, attempt: attempts.length + 1 },
    async function* () {
      const toolCall = yield* requestToolCall(ctx, WRITE_TOOL, [
        prompt,
        ...toCorrectionMessages(WRITE_TOOL.name, attempts),
      ]);
      if (toolCall.kind !== "called") return toolCall;
      const candidateResult = createCandidate(toolCall.value, "written");
      return candidateResult.ok
        ? ({ kind: "read", candidate: candidateResult.candidate, arguments: toolCall.arguments } as const)
        : ({ kind: "malformed", arguments: toolCall.arguments, problem: candidateResult.problem } as const);
    },
    (toolCall) =>
      toolCall.kind === "read"
        ? toWrittenTool(toolCall.candidate)
        : { error: toolCall.kind === "text" ? toolCall.text : toolCall.problem },
  );
  switch (reply.kind) {
    case "text":
      return createFailedTransition(
        subtaskContext,
        reply.text === "" ? localizeReply(ctx.request, "toolsmith.noToolWritten") : reply.text,
      );
    case "malformed":
      return createWriteTransition([...attempts, { arguments: reply.arguments, problem: reply.problem }]);
    case "read":
      return { kind: "on", state: { at: { stage: "try", candidate: reply.candidate }, attempts: [...attempts] } };
    default:
      return assertNever(reply);
  }
}

/** Checks, runs and saves a candidate (F95, F97, F98). */
async function* tryCandidate(
  ctx: ToolsmithContext,
  subtaskContext: SubtaskContext,
  candidate: ToolCandidate,
  attempts: readonly FailedAttempt[],
): AsyncGenerator<AgentRunEvent, SubtaskTransition> {
  const { id: task_id } = subtaskContext.subtask;
  const toolFields = { task_id, tool: candidate.name };
  const retry = (problem: string): SubtaskTransition => {
    if (candidate.origin === "kept") return createWriteTransition([]);
    return createWriteTransition([...attempts, { arguments: JSON.stringify(toWrittenTool(candidate)), problem }]);
  };
  const verdict = yield* runStep(
    ctx,
    "safety_check",
    toolFields,
    () => Promise.resolve(checkSafety(candidate)),
    (verdictResult) => ({
      passed: verdictResult.ok,
      issues: verdictResult.ok ? [] : verdictResult.issues,
    }),
  );
  if (!verdict.ok) return retry(`The safety check refused the code. ${formatIssues(verdict)}`);
  if (candidate.origin === "written") {
    const approval = findCodeOrigins(ctx.request, subtaskContext, candidate);
    if (ctx.needsApproval || approval.remark !== null) return { kind: "asks", candidate, approval };
  }
  const runId = `${ctx.request.message_id}/${task_id}/${attempts.length}`;
  const execution = yield* runStep(
    ctx,
    "execute",
    { ...toolFields, arguments: candidate.arguments },
    () => executeCandidate(ctx, candidate, verdict.program, runId),
    (executed) => (executed.ok ? { result: executed.result, ms: executed.ms } : { error: executed.problem }),
  );
  if (!execution.ok) {
    if (candidate.origin === "kept") await ctx.registry.recordFailure(candidate.name, execution.problem);
    return retry(`Running it failed. ${execution.problem}`);
  }
  yield* runStep(
    ctx,
    "register",
    toolFields,
    async () => ctx.registry.save({ ...toToolDraft(candidate), hash: await hashCandidate(candidate) }),
    (saveResult) =>
      saveResult.kept
        ? saveResult
        : { kept: false, reason: formatMessage(detectRequestLanguage(ctx.request), saveResult.reason) },
  );
  const { id, description } = subtaskContext.subtask;
  const outcome: SubtaskOutcome = {
    id,
    description,
    status: "completed",
    result: execution.result,
    tool: candidate.name,
  };
  return { kind: "done", outcome };
}

function createWriteTransition(attempts: readonly FailedAttempt[]): SubtaskTransition {
  return { kind: "on", state: { at: { stage: "write" }, attempts: [...attempts] } };
}

function createFailedTransition({ subtask }: SubtaskContext, error: string): SubtaskTransition {
  return { kind: "done", outcome: createFailedOutcome(subtask, error) };
}

/** Creates the result of a failed sub-task. `error` is a sentence for the person. */
export function createFailedOutcome({ id, description }: Subtask, error: string): SubtaskOutcome {
  return { id, description, status: "failed", error };
}

function describeMissingTool(
  name: string | null | undefined,
  tools: readonly StoredTool[],
): { ok: false; problem: string } {
  const names = tools.map((tool) => tool.name).join(", ");
  return { ok: false, problem: `There is no tool ${name ?? "without a name"} in the list. There are: ${names}.` };
}

function formatIssues({ issues }: Extract<SafetyVerdict, { ok: false }>): string {
  return issues.map(({ message, line }) => `Line ${line}: ${message}`).join(" ");
}
