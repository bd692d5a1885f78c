// F103. One message about data, whichever door it came through: what it is, and what is answered. What has been made
// and asked before is kept for each conversation, so a message needs to bring nothing but its words; what it does
// bring wins.

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

/** What the message is about, if there is anything yet. */
type Subject = { readonly blueprint: Blueprint; readonly about: About };

/** What is answered, and how the conversation stands after it. */
export type Answered = { readonly reply: AnalysisReply & { readonly action: Action }; readonly standing: Standing };

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

/** A yes or a no to an analysis that was proposed; null for anything else. */
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

type Planned = { readonly blueprint: Blueprint; readonly setup: PageSetup };

/** A new blueprint, planned with what the words name already looked up. */
async function* planned(desk: Desk, request: AnalysisRequest, material: Material): AsyncGenerator<Said, Planned> {
  const { message: prompt, language, teacherId: teacher_id } = request;
  const context = await contextOf(desk, request);
  const blueprint = yield* createBlueprint(desk, { prompt, language, context, material });
  return { blueprint, setup: { context, teacher_id, language } };
}

/** What is new about a page after a further refinement of it. */
function refinedBy({ scope, recompose }: Patched, before: Standing["refined"]): Standing["refined"] {
  return {
    isWhole: scope === "full" || before?.isWhole === true,
    recompose: [...new Set([...(before?.recompose ?? []), ...recompose])],
  };
}

/**
 * What stays of how things stood: the blueprint that was sent, or else the one that is kept. A question that was not
 * answered, and a proposal that was not taken up, are gone with the next message.
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

function existing(subject: Subject | null): Subject {
  if (subject === null) throw new Error("There is no page that the message could be about.");
  return subject;
}

/** A request with the one before it that was not clear. */
function fullRequest(message: string, asked: Standing["asked"]): string {
  return asked === undefined ? message : `${asked.request}\n${message}`;
}

async function subjectOf(desk: Desk, request: AnalysisRequest, standing: Standing): Promise<Subject | null> {
  const { blueprint, page_id } = standing;
  if (blueprint === undefined) return null;
  const page = page_id === undefined ? null : await desk.library.page(page_id);
  const sent = request.pageContext ?? null;
  return { blueprint, about: { page: page?.page ?? null, snapshot: page?.snapshot ?? null, sent } };
}

function outlineOf({ blueprint }: Subject, changes: number) {
  const { name, description, uiComposition } = blueprint;
  const blocks = uiComposition.tabs.flatMap(({ slots }) =>
    slots.map(({ id, componentType }) => `${id}: ${componentType}`),
  );
  return { name, description, blocks, changes };
}
