// F103. Handles one message about data, for all entry points: decides what kind of message it is and creates the reply.
//
// The state of the conversation (blueprint, page, open question, open proposal) comes in as a value and goes out as a
// value; the caller loads and saves it. A message may bring its own blueprint, which then replaces the stored one. An
// open question or proposal lasts for one message only.

import { assertNever } from "../../../lib/assert.ts";
import { createMessage } from "../../../language/messages.ts";
import type { AnalysisAction, AnalysisReply, AnalysisRequest } from "../../../protocol/pages/analysis-api.ts";
import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import type { PageSetup, AnalysisState } from "../../../protocol/pages/stored-page.ts";
import { parseDecision } from "../../../protocol/wire/question.ts";
import type { AgentRunEvent } from "../../kit/agent.ts";
import { listUnfilteredSlots, readsOtherDataset } from "../blueprint/blueprint-queries.ts";
import { createBlueprint } from "../blueprint/create-blueprint.ts";
import { answerChat } from "./answer-chat.ts";
import { createClarifyOptions, completeQuestion } from "./clarifying-question.ts";
import type { AnalystContext } from "../analyst-context.ts";
import { createPlanContext } from "./class-mentions.ts";
import { localize } from "../localize.ts";
import { loadMaterial, type PromptMaterial } from "../prompt-material.ts";
import { answerPageQuestion } from "./answer-page-question.ts";
import type { PageSources } from "./page-digest.ts";
import { refineBlueprint, type RefinedBlueprint } from "../blueprint/refine-blueprint.ts";
import { createPlannedMessage, createReplacementQuestion } from "./analyst-messages.ts";
import { routeMessage } from "./route-message.ts";

/** The page that the message is about. */
type PageSubject = { readonly blueprint: Blueprint; readonly about: PageSources };

/** The reply and the state of the conversation after it. */
export type MessageOutcome = {
  readonly reply: AnalysisReply & { readonly action: AnalysisAction };
  readonly state: AnalysisState;
};

/**
 * Handles one message and returns the reply with the new state, which it does not save. Yields the agent events of the
 * model calls; a chat answer is streamed. Builds no page. Throws a `Fault` (`agent_failed`) if no blueprint or answer
 * results, `agent_exhausted`, errors of the model and the library, and the reason of an aborted signal.
 */
export async function* handleMessage(
  ctx: AnalystContext,
  request: AnalysisRequest,
  previousState: AnalysisState,
): AsyncGenerator<AgentRunEvent, MessageOutcome> {
  const { message, language } = request;
  const context = request.context ?? {};
  const state = dropOutdatedState(request, previousState);
  const proposalOutcome = answerProposal(request, previousState, state);
  if (proposalOutcome !== null) return proposalOutcome;
  const subject = await loadSubject(ctx, request, state);
  const openQuestion = subject === null ? previousState.asked : undefined;
  const page = subject === null ? null : outlinePage(subject, state.earlier?.length ?? 0);
  const material = await loadMaterial(ctx, request.teacherId, [message, openQuestion?.request, subject?.blueprint]);
  const decision = yield* routeMessage(ctx, { message, language, context, asked: openQuestion, material, page });
  const { action } = decision;
  const createOutcome = (chatResponse: string): MessageOutcome => ({ reply: { action, chatResponse }, state });
  switch (decision.action) {
    case "chat_smalltalk":
    case "chat_qa":
      return createOutcome(yield* answerChat(ctx, decision.action, { message, language, context }));
    case "chat":
      return createOutcome(yield* answerPageQuestion(ctx, { message, language, ...requireSubject(subject) }));
    case "clarify": {
      const { question, hint } = completeQuestion(decision, material, language);
      const fullRequestText = joinRequest(message, openQuestion);
      const clarifyOptions = createClarifyOptions(hint, material, language, fullRequestText);
      const reply = { action, chatResponse: question, clarifyOptions };
      return { reply, state: { ...state, asked: { request: fullRequestText, question } } };
    }
    case "build_workflow": {
      const completeRequest = { ...request, message: joinRequest(message, openQuestion) };
      const { blueprint, setup } = yield* planAnalysis(ctx, completeRequest, material);
      const reply = { action, blueprint, chatResponse: localize(createPlannedMessage(blueprint), language) };
      return { reply, state: { blueprint, setup } };
    }
    case "rebuild": {
      const { blueprint: proposed, setup } = yield* planAnalysis(ctx, request, material);
      return proposeReplacement(proposed, { ...state, setup }, language);
    }
    case "refine": {
      const { blueprint: current, about } = requireSubject(subject);
      const { earlier: history = [] } = state;
      const refinement = { blueprint: current, earlier: history, page: about.page, message, material, language };
      const patched = yield* refineBlueprint(ctx, refinement);
      const { blueprint, earlier } = patched;
      if (readsOtherDataset(current, blueprint)) return proposeReplacement(blueprint, state, language);
      const refined = mergeRefinements(patched, state.refined);
      const chatResponse = describeChange(current, blueprint, language);
      const reply = { action, blueprint, chatResponse };
      return { reply, state: { ...state, blueprint, refined, earlier: [...earlier] } };
    }
    default:
      return assertNever(decision);
  }
}

/** Asks whether another analysis should replace the page. Other data is never shown under the name of the old page. */
function proposeReplacement(proposed: Blueprint, state: AnalysisState, language: string): MessageOutcome {
  const chatResponse = localize(createReplacementQuestion(proposed), language);
  return { reply: { action: "rebuild", blueprint: proposed, chatResponse }, state: { ...state, proposed } };
}

/** Returns the message about a refinement. It names the new blocks that do not use the filter of the page. */
function describeChange(before: Blueprint, after: Blueprint, language: string): string {
  const titles = listUnfilteredSlots(before, after);
  const changed = createMessage("analyst.pageChanged", { name: after.name });
  if (titles.length === 0) return localize(changed, language);
  return localize(createMessage("analyst.pageChangedUnfiltered", { changed, titles }), language);
}

/** Handles a yes or no to a proposed analysis. Returns null for any other message. */
function answerProposal(
  { message, language, blueprint: sentBlueprint }: AnalysisRequest,
  { proposed, setup, blueprint: storedBlueprint }: AnalysisState,
  state: AnalysisState,
): MessageOutcome | null {
  if (proposed === undefined || (sentBlueprint ?? storedBlueprint)?.id !== storedBlueprint?.id) return null;
  const decision = parseDecision(message);
  if (decision === "approve") {
    const chatResponse = localize(createPlannedMessage(proposed), language);
    return {
      reply: { action: "refine", blueprint: proposed, chatResponse },
      state: { blueprint: proposed, ...(setup === undefined ? {} : { setup }) },
    };
  }
  if (decision === null) return null;
  return { reply: { action: "chat", chatResponse: localize("analyst.pageUnchanged", language) }, state };
}

/** A new blueprint with the values that its page is built with. */
type PlannedAnalysis = { readonly blueprint: Blueprint; readonly setup: PageSetup };

/** Plans a new blueprint, and names the classes in the message to the model. */
async function* planAnalysis(
  ctx: AnalystContext,
  request: AnalysisRequest,
  material: PromptMaterial,
): AsyncGenerator<AgentRunEvent, PlannedAnalysis> {
  const { message: prompt, language, teacherId: teacher_id } = request;
  const context = createPlanContext(request, material.classes);
  const blueprint = yield* createBlueprint(ctx, { prompt, language, context, material });
  return { blueprint, setup: { context, teacher_id, language } };
}

/** Merges a refinement into those made since the page was built: which texts are outdated, or all of the page. */
function mergeRefinements(
  { scope, recompose }: RefinedBlueprint,
  before: AnalysisState["refined"],
): AnalysisState["refined"] {
  return {
    isWhole: scope === "full" || before?.isWhole === true,
    recompose: [...new Set([...(before?.recompose ?? []), ...recompose])],
  };
}

/**
 * Returns the part of the stored state that remains valid. A blueprint sent with the message replaces the stored one;
 * the page, setup and history remain only if both have the same id. Open questions and proposals are dropped.
 */
function dropOutdatedState({ blueprint: sent }: AnalysisRequest, stored: AnalysisState): AnalysisState {
  const { asked: _, proposed: __, ...state } = stored;
  if (sent === undefined || sent === null) return state;
  return sent.id === state.blueprint?.id ? { ...state, blueprint: sent } : { blueprint: sent };
}

/** Returns the subject. Throws if there is none, which the router rules out. */
function requireSubject(subject: PageSubject | null): PageSubject {
  if (subject === null) throw new Error("There is no page that the message could be about.");
  return subject;
}

/** Joins an unclear request with its answer, so that planning sees both. */
function joinRequest(message: string, openQuestion: AnalysisState["asked"]): string {
  return openQuestion === undefined ? message : `${openQuestion.request}\n${message}`;
}

/** Loads the page of the current blueprint; null if the conversation has no blueprint. */
async function loadSubject(
  ctx: AnalystContext,
  request: AnalysisRequest,
  state: AnalysisState,
): Promise<PageSubject | null> {
  const { blueprint, page_id } = state;
  if (blueprint === undefined) return null;
  const page = page_id === undefined ? null : await ctx.library.loadPage(page_id);
  const pageContext = request.pageContext ?? null;
  return { blueprint, about: { page: page?.page ?? null, snapshot: page?.snapshot ?? null, sent: pageContext } };
}

/** Returns the short description of the page that the router sees. */
function outlinePage({ blueprint }: PageSubject, changes: number) {
  const { name, description, uiComposition } = blueprint;
  const blocks = uiComposition.tabs.flatMap(({ slots }) =>
    slots.map(({ id, componentType }) => `${id}: ${componentType}`),
  );
  return { name, description, blocks, changes };
}
