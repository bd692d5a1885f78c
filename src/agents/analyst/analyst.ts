// The analyst as an agent of the runtime: what the endpoints do in several calls is one run here. A question ends the
// run until its answer comes; the page that comes about is a component of the conversation.

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

/** What a run needs besides a model. */
export type Surroundings = Pick<Desk, "tools" | "library">;

/** What is noted with a question, and once a plan stands: it is not planned again (T4). */
const stateSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("asked"), standing: standingSchema }),
  z.object({ stage: z.literal("proposed"), standing: standingSchema }),
  z.object({ stage: z.literal("make"), standing: standingSchema, blueprint: blueprintSchema }),
]);
type State = z.infer<typeof stateSchema>;

/** The agent, over the data and the library of whoever asks; null for a caller who speaks for nobody. */
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
  /** Stands for the conversation. */
  readonly key: string;
};

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

/** A schedule asks the same thing every time, so nothing that came before is what it is about. */
function standingAtFirst({ library }: Desk, { metadata }: AgentRequest, key: string): Promise<Standing> {
  return metadata.schedule === undefined ? library.standing(key) : Promise.resolve({});
}

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

async function* make(job: Job, standing: Standing, blueprint: Blueprint): AsyncGenerator<Said> {
  const { blueprint: _, earlier: __, ...rest } = standing;
  yield checkpoint({ stage: "make", standing: rest, blueprint } satisfies State);
  yield* show(job, standing, blueprint);
}

/** Carries a blueprint out; the last words are the task's result. */
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
  // What does not exist is an answer: the person can ask for something else.
  if (end.page !== null || !end.isFound) yield { type: "text", text: words };
  else yield { type: "failed", reason: words, code: "agent_failed" };
}

/** What the texts of a page have cost. */
function usedSince(before: Used, after: Used) {
  return {
    model_calls: after.modelCalls - before.modelCalls,
    input_tokens: after.inputTokens - before.inputTokens,
    output_tokens: after.outputTokens - before.outputTokens,
  };
}

/** The same when an interrupted run is repeated, so that it makes one page; another for every run of a schedule. */
async function newPageId({ message_id, metadata }: AgentRequest): Promise<string> {
  const digest = await sha256(JSON.stringify([message_id, metadata.schedule?.due_at ?? null]));
  return `page-${digest.slice(0, 32)}`;
}

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

function languageFor({ query, metadata }: AgentRequest): string {
  return metadata.language ?? languageOf(query);
}

/**
 * What stands for the conversation. A task that was handed on has a conversation of its own, which lasts as long as it
 * does; but the ids of our tasks say which conversation they belong to.
 */
function keyOf({ conversation_id, task_id }: AgentRequest, { message }: RunContext): string {
  const own = message.extensions.includes(EVENTS_EXTENSION) ? digestIn(task_id) : null;
  return own ?? digestOf(conversation_id);
}
