// The analyst as an agent of the runtime. The steps that the HTTP endpoints take in several calls are one run here.
//
// A run reads its state first: the reply to its own question, or its checkpoint. It then handles the message, and
// builds the page if a blueprint results. A question ends the run; the answer starts a new run with the stored state.
// The finished page is a component of the conversation.
//
// T4. A checkpoint is written before the page is built, so a run after a crash does not plan again. The page id is
// derived from the message id, so a repeated run writes the same page.

import * as z from "zod";
import type { AgentRequest } from "../../protocol/agent.ts";
import type { AnalysisRequest } from "../../protocol/analysis.ts";
import { blueprintSchema, type Blueprint } from "../../protocol/blueprint.ts";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import { sha256 } from "../../protocol/digest.ts";
import { digestIn, digestOf } from "../../protocol/ids.ts";
import { standingSchema, type Standing } from "../../protocol/pages.ts";
import { decisionOf } from "../../protocol/question.ts";
import { languageOf } from "../../protocol/words/language.ts";
import type { AgentDefinition, RunContext, Said } from "../kit/agent.ts";
import { ask, checkpoint, stateOf } from "../kit/ask.ts";
import { failureOf } from "../kit/failure.ts";
import { Allowance, type Used } from "../kit/limits.ts";
import { card } from "./card.ts";
import { converse } from "./conversation.ts";
import type { Desk } from "./desk.ts";
import { inLanguage } from "./language.ts";
import { LIMITS } from "./limits.ts";
import { makePage, previousOf } from "./page-run.ts";
import { LEFT_AS_IT_IS, NOBODY, YES_NO } from "./phrases.ts";
import { teacherFor } from "./teacher.ts";
import { told } from "./telling.ts";

/** The user's data tools and page library: all a run needs besides a model. */
export type Surroundings = Pick<Desk, "tools" | "library">;

/**
 * State stored with a question, and as a checkpoint once a blueprint is ready, so that a repeated run does not plan
 * again (T4).
 */
const stateSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("asked"), standing: standingSchema }),
  z.object({ stage: z.literal("proposed"), standing: standingSchema }),
  z.object({ stage: z.literal("make"), standing: standingSchema, blueprint: blueprintSchema }),
]);
type State = z.infer<typeof stateSchema>;

/**
 * Creates the agent definition. `createPorts` returns the data and library of the requesting user, or null if the
 * request has no user; the run then answers with a text and ends. A run stops after `ANALYST_LIMITS.seconds`. Known
 * errors become a `failed` event; unknown ones are thrown.
 */
export function analyst(
  around: (request: AgentRequest, env: RunContext["env"]) => Surroundings | null,
): AgentDefinition {
  return {
    card,
    async *run(request, context) {
      const clock = AbortSignal.timeout(LIMITS.seconds * 1_000);
      const signal = AbortSignal.any([context.signal, clock]);
      const language = languageFor(request);
      try {
        const surroundings = around(request, context.env);
        if (surroundings === null) return void (yield { type: "text", text: inLanguage(NOBODY, language) });
        const desk: Desk = { ...surroundings, model: context.model, signal, used: new Allowance(LIMITS) };
        yield* work({ desk, request, language, key: keyOf(request, context) });
      } catch (thrown) {
        yield failureOf(thrown, clock, LIMITS);
      }
    },
  };
}

type Job = {
  readonly desk: Desk;
  readonly request: AgentRequest;
  readonly language: string;
  /** Digest that identifies the conversation in the library. */
  readonly key: string;
};

/**
 * Dispatches on the stored state: builds the checkpointed page, carries out or drops a proposal, or handles the
 * message.
 */
async function* work(job: Job): AsyncGenerator<Said> {
  const { request, desk, key } = job;
  const state = request.reply === undefined && request.checkpoint === undefined ? null : stateOf(request, stateSchema);
  if (state?.stage === "make") return void (yield* show(job, state.standing, state.blueprint));
  if (state?.stage === "proposed") {
    const decision = decisionOf(request.reply?.answer.message ?? "");
    const { proposed, ...standing } = state.standing;
    if (decision === "approve" && proposed !== undefined)
      return void (yield* make(job, { setup: standing.setup }, proposed));
    if (decision === "refuse") return void (yield { type: "text", text: inLanguage(LEFT_AS_IT_IS, job.language) });
  }
  yield* hear(job, state?.standing ?? (await standingAtFirst(desk, request, key)));
}

/**
 * Loads the stored state of the conversation. A scheduled request starts from an empty state, because it repeats the
 * same request every time.
 */
function standingAtFirst({ library }: Desk, { metadata }: AgentRequest, key: string): Promise<Standing> {
  return metadata.schedule === undefined ? library.standing(key) : Promise.resolve({});
}

/**
 * Handles one message, saves the new state of the conversation, then asks a question, proposes a replacement or builds
 * the page.
 */
async function* hear(job: Job, kept: Standing): AsyncGenerator<Said> {
  const { desk, key, language } = job;
  const { reply, standing } = yield* converse(desk, messageIn(job), kept);
  await desk.library.keepStanding(key, standing);
  const { action, chatResponse = "", blueprint, clarifyOptions } = reply;
  if (action === "clarify") {
    const options = clarifyOptions?.choices.map(({ label }) => label) ?? [];
    yield ask(chatResponse, { ...(options.length === 0 ? {} : { options }), state: { stage: "asked", standing } });
  } else if (action === "rebuild") {
    const options = YES_NO.map((words) => inLanguage(words, language));
    yield ask(chatResponse, { options, state: { stage: "proposed", standing } });
  } else if (blueprint !== undefined) {
    yield* make(job, standing, blueprint);
  }
}

/** Writes the checkpoint, then builds the page. The checkpoint holds the blueprint once and omits its history. */
async function* make(job: Job, standing: Standing, blueprint: Blueprint): AsyncGenerator<Said> {
  const { blueprint: _, earlier: __, ...rest } = standing;
  yield checkpoint({ stage: "make", standing: rest, blueprint } satisfies State);
  yield* show(job, standing, blueprint);
}

/** Builds the page and emits its events and its model usage. The last text is the task's result. */
async function* show(
  { desk, request, language, key }: Job,
  standing: Standing,
  blueprint: Blueprint,
): AsyncGenerator<Said> {
  const { setup, page_id } = standing;
  const events = makePage(desk, {
    blueprint,
    context: setup?.context ?? {},
    teacherId: setup?.teacher_id ?? teacherFor(request.metadata),
    language,
    key,
    conversationId: request.conversation_id,
    pageId: page_id ?? (await newPageId(request)),
    ...(await previousOf(desk, standing)),
  });
  const before = desk.used.used;
  const end = yield* told(events, blueprint, `${request.task_id}/page`);
  yield { type: "usage", usage: usedSince(before, desk.used.used) };
  if (end === null) return;
  const words = end.chatResponse === "" ? end.response : end.chatResponse;
  // Missing data is an answer: the person can ask for something else.
  if (end.page !== null || !end.isFound) yield { type: "text", text: words };
  else yield { type: "failed", reason: words, code: "agent_failed" };
}

/** Returns the model usage between two snapshots, as the fields of a usage event. */
function usedSince(before: Used, after: Used) {
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
async function newPageId({ message_id, metadata }: AgentRequest): Promise<string> {
  const digest = await sha256(JSON.stringify([message_id, metadata.schedule?.due_at ?? null]));
  return `page-${digest.slice(0, 32)}`;
}

/**
 * Converts the request of the runtime to the request of the analysis endpoints. Results of earlier tasks become part of
 * the context.
 */
function messageIn({ request, language }: Job): AnalysisRequest {
  const { query, reply, metadata } = request;
  const { current_context: context = {}, dependencies = [] } = metadata;
  const found = dependencies.map(({ title, result }) => ({ title, result }));
  return {
    message: reply === undefined ? query : reply.answer.message,
    language,
    teacherId: teacherFor(metadata),
    context: found.length === 0 ? context : { ...context, results_so_far: found },
  };
}

/** Returns the language of the metadata, or else the detected language of the query. */
function languageFor({ query, metadata }: AgentRequest): string {
  return metadata.language ?? languageOf(query);
}

/**
 * Returns the library key of the conversation. A delegated task has a conversation id of its own, but the ids of our
 * tasks contain the digest of the conversation they belong to, so that digest is preferred.
 */
function keyOf({ conversation_id, task_id }: AgentRequest, { message }: RunContext): string {
  const own = message.extensions.includes(EVENTS_EXTENSION) ? digestIn(task_id) : null;
  return own ?? digestOf(conversation_id);
}
