// F103. Handles one message about data, for all entry points: decides what kind of message it is and creates the reply.
//
// The state of the conversation (blueprint, page, open question, open proposal) comes in as a value and goes out as a
// value; the caller loads and saves it. A message may bring its own blueprint, which then replaces the stored one. An
// open question or proposal lasts for one message only.

import { unreachable } from "../../protocol/assert.ts";
import type { Action, AnalysisReply, AnalysisRequest } from "../../protocol/analysis.ts";
import type { Blueprint } from "../../protocol/blueprint.ts";
import type { PageSetup, Standing } from "../../protocol/pages.ts";
import { decisionOf } from "../../protocol/question.ts";
import type { Said } from "../kit/agent.ts";
import { createBlueprint } from "./blueprint.ts";
import { chat } from "./chat.ts";
import { optionsFor, putBy } from "./clarify.ts";
import { choicesFor, contextOf, type Desk } from "./desk.ts";
import { inLanguage } from "./language.ts";
import { materialOf, type Material } from "./material.ts";
import { pageChat } from "./page-chat.ts";
import type { About } from "./page-digest.ts";
import { patchBlueprint, type Patched } from "./patch.ts";
import { CHANGED, LEFT_AS_IT_IS, PLANNED, REPLACING } from "./phrases.ts";
import { decideOn } from "./router.ts";

/** The page that the message is about. */
type Subject = { readonly blueprint: Blueprint; readonly about: About };

/** The reply and the state of the conversation after it. */
export type Answered = { readonly reply: AnalysisReply & { readonly action: Action }; readonly standing: Standing };

/**
 * Handles one message and returns the reply with the new state. Yields the agent events of the model calls.
 * Does not save the state. Throws a `Fault` if a blueprint cannot be created; model errors pass through.
 */
export async function* converse(desk: Desk, request: AnalysisRequest, kept: Standing): AsyncGenerator<Said, Answered> {
  const { message, language } = request;
  const context = request.context ?? {};
  const standing = settled(request, kept);
  const answered = answeredProposal(request, kept, standing);
  if (answered !== null) return answered;
  const subject = await subjectOf(desk, request, standing);
  const asked = subject === null ? kept.asked : undefined;
  const page = subject === null ? null : outlineOf(subject, standing.earlier?.length ?? 0);
  const material = await materialOf(desk, request.teacherId, [message, asked?.request, subject?.blueprint]);
  const decision = yield* decideOn(desk, { message, language, context, asked, material, page });
  const { action } = decision;
  const said = (chatResponse: string): Answered => ({ reply: { action, chatResponse }, standing });
  switch (decision.action) {
    case "chat_smalltalk":
    case "chat_qa":
      return said(yield* chat(desk, decision.action, { message, language, context }));
    case "chat":
      return said(yield* pageChat(desk, { message, language, ...existing(subject) }));
    case "clarify": {
      const { question, hint } = putBy(decision, material, language);
      const words = fullRequest(message, asked);
      const clarifyOptions = await optionsFor(hint, choicesFor(desk, request.teacherId), language, words);
      const reply = { action, chatResponse: question, clarifyOptions };
      return { reply, standing: { ...standing, asked: { request: words, question } } };
    }
    case "build_workflow": {
      const { blueprint, setup } = yield* planned(desk, { ...request, message: fullRequest(message, asked) }, material);
      const reply = { action, blueprint, chatResponse: inLanguage(PLANNED(blueprint), language) };
      return { reply, standing: { blueprint, setup } };
    }
    case "rebuild": {
      const { blueprint: proposed, setup } = yield* planned(desk, request, material);
      const reply = { action, blueprint: proposed, chatResponse: inLanguage(REPLACING(proposed), language) };
      return { reply, standing: { ...standing, proposed, setup } };
    }
    case "refine": {
      const { blueprint: before, about } = existing(subject);
      const { earlier: past = [] } = standing;
      const order = { blueprint: before, earlier: past, page: about.page, message, material, language };
      const patched = yield* patchBlueprint(desk, order);
      const { blueprint, earlier } = patched;
      const refined = refinedBy(patched, standing.refined);
      const reply = { action, blueprint, chatResponse: inLanguage(CHANGED(blueprint), language) };
      return { reply, standing: { ...standing, blueprint, refined, earlier: [...earlier] } };
    }
    default:
      return unreachable(decision);
  }
}

/** Handles a yes or no to a proposed analysis. Returns null for any other message. */
function answeredProposal(
  { message, language, blueprint: sent }: AnalysisRequest,
  { proposed, setup, blueprint: kept }: Standing,
  standing: Standing,
): Answered | null {
  if (proposed === undefined || (sent ?? kept)?.id !== kept?.id) return null;
  const decision = decisionOf(message);
  if (decision === "approve") {
    const chatResponse = inLanguage(PLANNED(proposed), language);
    return {
      reply: { action: "refine", blueprint: proposed, chatResponse },
      standing: { blueprint: proposed, ...(setup === undefined ? {} : { setup }) },
    };
  }
  if (decision === null) return null;
  return { reply: { action: "chat", chatResponse: inLanguage(LEFT_AS_IT_IS, language) }, standing };
}

/** A new blueprint with the values that its page is built with. */
type Planned = { readonly blueprint: Blueprint; readonly setup: PageSetup };

/** Plans a new blueprint. Classes named in the message are looked up first. */
async function* planned(desk: Desk, request: AnalysisRequest, material: Material): AsyncGenerator<Said, Planned> {
  const { message: prompt, language, teacherId: teacher_id } = request;
  const context = await contextOf(desk, request);
  const blueprint = yield* createBlueprint(desk, { prompt, language, context, material });
  return { blueprint, setup: { context, teacher_id, language } };
}

/** Merges a refinement into those made since the page was built: which texts are outdated, or all of the page. */
function refinedBy({ scope, recompose }: Patched, before: Standing["refined"]): Standing["refined"] {
  return {
    isWhole: scope === "full" || before?.isWhole === true,
    recompose: [...new Set([...(before?.recompose ?? []), ...recompose])],
  };
}

/**
 * Returns the part of the stored state that remains valid. A blueprint sent with the message replaces the stored one;
 * the page, setup and history remain only if both have the same id. Open questions and proposals are dropped.
 */
function settled({ blueprint: sent }: AnalysisRequest, standing: Standing): Standing {
  const { blueprint: kept, page_id, setup, refined, earlier } = standing;
  const isOurs = (sent ?? kept)?.id === kept?.id;
  const blueprint = sent ?? kept;
  return {
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(page_id === undefined || !isOurs ? {} : { page_id }),
    ...(setup === undefined || !isOurs ? {} : { setup }),
    ...(refined === undefined || !isOurs ? {} : { refined }),
    ...(earlier === undefined || !isOurs ? {} : { earlier }),
  };
}

/** Returns the subject. Throws if there is none, which the router rules out. */
function existing(subject: Subject | null): Subject {
  if (subject === null) throw new Error("There is no page that the message could be about.");
  return subject;
}

/** Joins an unclear request with its answer, so that planning sees both. */
function fullRequest(message: string, asked: Standing["asked"]): string {
  return asked === undefined ? message : `${asked.request}\n${message}`;
}

/** Loads the page of the current blueprint; null if the conversation has no blueprint. */
async function subjectOf(desk: Desk, request: AnalysisRequest, standing: Standing): Promise<Subject | null> {
  const { blueprint, page_id } = standing;
  if (blueprint === undefined) return null;
  const page = page_id === undefined ? null : await desk.library.page(page_id);
  const sent = request.pageContext ?? null;
  return { blueprint, about: { page: page?.page ?? null, snapshot: page?.snapshot ?? null, sent } };
}

/** Returns the short description of the page that the router sees. */
function outlineOf({ blueprint }: Subject, changes: number) {
  const { name, description, uiComposition } = blueprint;
  const blocks = uiComposition.tabs.flatMap(({ slots }) =>
    slots.map(({ id, componentType }) => `${id}: ${componentType}`),
  );
  return { name, description, blocks, changes };
}
