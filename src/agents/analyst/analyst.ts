// The analyst as an agent of the runtime. The steps that the HTTP endpoints take in several calls are one run here.
//
// A run reads its state first: the reply to its own question, or its checkpoint. It then handles the message, and
// builds the page if a blueprint results. A question ends the run; the answer starts a new run with the stored state.
// The finished page is a component of the conversation.
//
// T4. A checkpoint is written before the page is built, so a run after a crash does not plan again. The page id is
// derived from the message id, so a repeated run writes the same page.

import * as z from "zod";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { AnalysisRequest } from "../../protocol/pages/analysis-api.ts";
import { blueprintSchema, type Blueprint } from "../../protocol/pages/blueprint-schema.ts";
import { EVENTS_EXTENSION } from "../../protocol/agents/a2a-extension.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { parseConversationDigest, computeConversationDigest } from "../../protocol/wire/ids.ts";
import { analysisStateSchema, type AnalysisState } from "../../protocol/pages/stored-page.ts";
import { parseDecision } from "../../protocol/wire/question.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import type { AgentRunEvent, ModelAgentDefinition, RunContext } from "../kit/agent.ts";
import { ask, checkpoint, parseState } from "../kit/ask.ts";
import { toFailedEvent } from "../kit/run-failure.ts";
import { AgentBudget, type AgentUsage } from "../kit/agent-limits.ts";
import { analystCard } from "./analyst-card.ts";
import { handleMessage } from "./talk/handle-message.ts";
import type { AnalystContext } from "./analyst-context.ts";
import { localize } from "./localize.ts";
import { ANALYST_LIMITS } from "./analyst-limits.ts";
import { buildAndStorePage, loadPreviousPage } from "./execute/build-and-store-page.ts";
import { findTeacherId } from "./talk/find-teacher.ts";
import { translatePageEvents } from "./execute/page-events.ts";

/** The user's data tools and page library: all a run needs besides a model. */
export type AnalystPorts = Pick<AnalystContext, "tools" | "library">;

/**
 * State stored with a question, and as a checkpoint once a blueprint is ready, so that a repeated run does not plan
 * again (T4).
 */
const analystStateSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("asked"), standing: analysisStateSchema }),
  z.object({ stage: z.literal("proposed"), standing: analysisStateSchema }),
  z.object({ stage: z.literal("make"), standing: analysisStateSchema, blueprint: blueprintSchema }),
]);
type AnalystState = z.infer<typeof analystStateSchema>;

/**
 * Creates the agent definition. `createPorts` returns the data and library of the requesting user, or null if the
 * request has no user; the run then answers with a text and ends. A run fails after `ANALYST_LIMITS.seconds`. Errors
 * that are meant for people become a `failed` event; others are thrown.
 */
export function createAnalyst(
  createPorts: (request: AgentRequest, env: RunContext["env"]) => AnalystPorts | null,
): ModelAgentDefinition {
  return {
    card: analystCard,
    async *run(request, context) {
      const timeoutSignal = AbortSignal.timeout(ANALYST_LIMITS.seconds * 1_000);
      const signal = AbortSignal.any([context.signal, timeoutSignal]);
      const language = request.metadata.language ?? detectLanguage(request.query);
      try {
        const ports = createPorts(request, context.env);
        if (ports === null) return void (yield { type: "text", text: localize("analyst.unknownUser", language) });
        const ctx: AnalystContext = { ...ports, model: context.model, signal, budget: new AgentBudget(ANALYST_LIMITS) };
        yield* runAnalyst({ ctx, request, language, key: getConversationKey(request, context) });
      } catch (thrown) {
        yield toFailedEvent(thrown, request, timeoutSignal, ANALYST_LIMITS);
      }
    },
  };
}

type AnalystJob = {
  readonly ctx: AnalystContext;
  readonly request: AgentRequest;
  readonly language: string;
  /** Digest that identifies the conversation in the library. */
  readonly key: string;
};

/**
 * Dispatches on the stored state: builds the checkpointed page, carries out or drops a proposal, or handles the
 * message.
 */
async function* runAnalyst(job: AnalystJob): AsyncGenerator<AgentRunEvent> {
  const { request, ctx, key } = job;
  const state =
    request.reply === undefined && request.checkpoint === undefined ? null : parseState(request, analystStateSchema);
  if (state?.stage === "make") return void (yield* emitPage(job, state.standing, state.blueprint));
  if (state?.stage === "proposed") {
    const decision = parseDecision(request.reply?.answer.message ?? "");
    const { proposed, ...conversationState } = state.standing;
    if (decision === "approve" && proposed !== undefined)
      return void (yield* checkpointAndBuild(job, { setup: conversationState.setup }, proposed));
    if (decision === "refuse")
      return void (yield { type: "text", text: localize("analyst.pageUnchanged", job.language) });
  }
  // A scheduled request starts from an empty state, because it repeats the same request every time.
  const loadState = async () => (request.metadata.schedule === undefined ? await ctx.library.loadState(key) : {});
  yield* handleJobMessage(job, state?.standing ?? (await loadState()));
}

/**
 * Handles one message, saves the new state of the conversation, then asks a question, proposes a replacement or builds
 * the page.
 */
async function* handleJobMessage(job: AnalystJob, previousState: AnalysisState): AsyncGenerator<AgentRunEvent> {
  const { ctx, key, language } = job;
  const { reply, state: conversationState } = yield* handleMessage(ctx, toAnalysisRequest(job), previousState);
  await ctx.library.saveState(key, conversationState);
  const { action, chatResponse = "", blueprint, clarifyOptions } = reply;
  if (action === "clarify") {
    const options = clarifyOptions?.choices.map(({ label }) => label) ?? [];
    const state = { stage: "asked", standing: conversationState };
    yield ask(chatResponse, options.length === 0 ? { state } : { options, state });
  } else if (action === "rebuild") {
    const options = [localize("answer.yes", language), localize("answer.no", language)];
    yield ask(chatResponse, { options, state: { stage: "proposed", standing: conversationState } });
  } else if (blueprint !== undefined) {
    yield* checkpointAndBuild(job, conversationState, blueprint);
  }
}

/** Writes the checkpoint, then builds the page. The checkpoint holds the blueprint once and omits its history. */
async function* checkpointAndBuild(
  job: AnalystJob,
  conversationState: AnalysisState,
  blueprint: Blueprint,
): AsyncGenerator<AgentRunEvent> {
  const { blueprint: _, earlier: __, ...rest } = conversationState;
  yield checkpoint({ stage: "make", standing: rest, blueprint } satisfies AnalystState);
  yield* emitPage(job, conversationState, blueprint);
}

/** Builds the page and emits its events and its model usage. The last text is the task's result. */
async function* emitPage(
  { ctx, request, language, key }: AnalystJob,
  conversationState: AnalysisState,
  blueprint: Blueprint,
): AsyncGenerator<AgentRunEvent> {
  const { setup, page_id } = conversationState;
  const events = buildAndStorePage(ctx, {
    blueprint,
    context: setup?.context ?? {},
    teacherId: setup?.teacher_id ?? findTeacherId(request.metadata),
    language,
    key,
    conversationId: request.conversation_id,
    pageId: page_id ?? (await derivePageId(request)),
    ...(await loadPreviousPage(ctx, conversationState)),
  });
  const usageBefore = ctx.budget.usage;
  const result = yield* translatePageEvents(events, blueprint, `${request.task_id}/page`);
  yield { type: "usage", usage: computeUsage(usageBefore, ctx.budget.usage) };
  if (result === null) return;
  const text = result.chatResponse === "" ? result.response : result.chatResponse;
  // Missing data is an answer: the person can ask for something else.
  if (result.page !== null || !result.isFound) yield { type: "text", text };
  else yield { type: "failed", reason: text, code: "agent_failed" };
}

/** Returns the model usage between two snapshots, as the fields of a usage event. */
function computeUsage(before: AgentUsage, after: AgentUsage) {
  return {
    model_calls: after.modelCalls - before.modelCalls,
    input_tokens: after.inputTokens - before.inputTokens,
    output_tokens: after.outputTokens - before.outputTokens,
  };
}

/**
 * Returns an id that is stable when an interrupted run is repeated, so that only one page is created. Each run of a
 * schedule gets another id.
 */
async function derivePageId({ message_id, metadata }: AgentRequest): Promise<string> {
  const digest = await computeSha256(JSON.stringify([message_id, metadata.schedule?.due_at ?? null]));
  return `page-${digest.slice(0, 32)}`;
}

/**
 * Converts the request of the runtime to the request of the analysis endpoints. Results of earlier tasks become part of
 * the context.
 */
function toAnalysisRequest({ request, language }: AnalystJob): AnalysisRequest {
  const { query, reply, metadata } = request;
  const { current_context: context = {}, dependencies = [] } = metadata;
  const earlierResults = dependencies.map(({ title, result }) => ({ title, result }));
  return {
    message: reply === undefined ? query : reply.answer.message,
    language,
    teacherId: findTeacherId(metadata),
    context: earlierResults.length === 0 ? context : { ...context, results_so_far: earlierResults },
  };
}

/**
 * Returns the library key of the conversation. A delegated task has a conversation id of its own, but the ids of our
 * tasks contain the digest of the conversation they belong to, so that digest is preferred.
 */
function getConversationKey({ conversation_id, task_id }: AgentRequest, { message }: RunContext): string {
  const taskDigest = message.extensions.includes(EVENTS_EXTENSION) ? parseConversationDigest(task_id) : null;
  return taskDigest ?? computeConversationDigest(conversation_id);
}
