// The analyst roles: classify a message, plan and change pages, write texts, answer questions. All numbers come from
// the input.

import * as z from "zod";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import { titleOf } from "../../../protocol/words/text.ts";
import * as say from "../analyst/phrases.ts";
import { changeOf, newBlueprint } from "../analyst/blueprint.ts";
import { editIn } from "../analyst/edits.ts";
import { materialIn } from "../analyst/material.ts";
import { narrated, paragraphs, ranked, suggested } from "../analyst/narrate.ts";
import { answerAbout, isElsewhere } from "../analyst/page-talk.ts";
import { firstRoute, isUndo, nextRoute, type Route } from "../analyst/route.ts";
import { isBeyond } from "../analyst/wish.ts";
import * as phrases from "../phrases.ts";
import { readTalk } from "../small-talk.ts";
import { earlierRequests, jsonAfter, type Talk } from "../talk.ts";
import type { Answer } from "../wire.ts";

const ROLES = ["router", "blueprint", "chat", "page_chat", "compose"] as const;
type Role = (typeof ROLES)[number];

/** Returns null for a role that is not the analyst's. */
export function analyst(talk: Talk, role: string): Answer | null {
  const known = ROLES.find((one) => one === role);
  return known === undefined ? null : ANSWERS[known](talk);
}

const ANSWERS: Readonly<Record<Role, (talk: Talk) => Answer>> = {
  router: route,
  blueprint: plan,
  chat,
  page_chat: pageChat,
  compose,
};

const askedSchema = z.object({ request: z.string() });
const outlineSchema = z.object({
  name: z.string().catch(""),
  description: z.string().catch(""),
  blocks: z.array(z.string()).catch([]),
  changes: z.number().catch(0),
});
const EARLIER = "Their earlier request, and what they were asked back:";

function route(talk: Talk): Answer {
  const { request, message, now } = talk;
  const material = { ...materialIn(message), now };
  const page = jsonAfter("Page:", message);
  const asked = askedSchema.safeParse(jsonAfter(EARLIER, message));
  const outline = outlineSchema.safeParse(page).data ?? { name: "", description: "", blocks: [], changes: 0 };
  const decided: Route =
    page !== undefined
      ? nextRoute(request, material, outline)
      : firstRoute(asked.success ? `${asked.data.request}\n${request}` : request, material);
  const { intent } = decided;
  const should_build = intent === "build_workflow" || intent === "refine" || intent === "rebuild";
  if (decided.intent !== "clarify") return call("route", { intent, confidence: 0.9, should_build });
  const clarifying_question = decided.question[languageIn(talk, request)];
  const hint = decided.hint === null ? {} : { route_hint: decided.hint };
  return call("route", { intent, confidence: 0.6, should_build, clarifying_question, ...hint });
}

/** Returns the message with the order; later messages only report errors of its plan. */
function orderIn(talk: Talk): string {
  const orders = [talk.message, ...earlierRequests(talk)];
  return orders.find((text) => /^(?:Request|Message):\n```json$/m.test(text)) ?? talk.message;
}

function plan(talk: Talk): Answer {
  const { now } = talk;
  const message = orderIn(talk);
  const material = { ...materialIn(message), now };
  const blueprint = jsonAfter("Blueprint:", message);
  const wanted = textIn(jsonAfter(blueprint === undefined ? "Request:" : "Message:", message));
  const language = languageIn(talk, wanted);
  const beyond = text(say.needsModel(titleOf(wanted), language));
  // A rejected plan would be rejected again.
  if (talk.outcomes.length > 0) return beyond;
  if (blueprint !== undefined && isUndo(wanted)) {
    const isAll = /\b(?:all|everything|original|start|first)\b|全部|所有|最初|原来|一开始/i.test(wanted);
    return call("restore_blueprint", { steps: isAll ? 100 : 1 });
  }
  if (blueprint === undefined) {
    const fresh = newBlueprint(wanted, material, language);
    return fresh === null ? beyond : call("create_blueprint", fresh);
  }
  const change = changeOf(wanted, blueprint, material, language);
  if (change === null) return beyond;
  return change.type === "patch"
    ? call("patch_blueprint", { operations: change.operations })
    : call("create_blueprint", change.blueprint);
}

function chat(talk: Talk): Answer {
  const { request } = talk;
  const language = languageIn(talk, request);
  const kind = readTalk(request);
  if (kind === "who") return text(phrases.whoAmI(language));
  if (kind === "what") return text(say.WHAT[language]);
  if (kind !== null && kind !== "last_question") return text(phrases.smallTalk(kind, language));
  return text(say.explained(request, language) ?? say.needsModel(titleOf(request), language));
}

const namedSchema = z.object({ name: z.string().catch(""), description: z.string().catch("") });

function pageChat(talk: Talk): Answer {
  const { request, message } = talk;
  const language = languageIn(talk, request);
  const kind = readTalk(request);
  if (kind !== null) return chat(talk);
  const page = jsonAfter("Page:", message);
  if (isBeyond(request)) return text(say.needsModel(titleOf(request), language));
  if (isUndo(request)) return text(say.NOTHING_CHANGED[language]);
  if (editIn(request) !== null) return text(say.NO_SUCH_BLOCK[language]);
  const term = say.explained(request, language);
  if (term !== null && /^what(?:'s| is) an? |什么是|是什么意思/i.test(request)) return text(term);
  const data = jsonAfter("Data:", message);
  if (!isElsewhere(request, JSON.stringify([page, data]))) {
    const answer = answerAbout(page, data, request, language) ?? term;
    if (answer !== null) return text(answer);
  }
  const about = namedSchema.safeParse(page).data;
  return text(say.notOnPage([about?.name ?? "", about?.description ?? ""].filter(Boolean), language));
}

const blockSchema = z.object({ componentType: z.string(), props: z.record(z.string(), z.unknown()).catch({}) });

function compose(talk: Talk): Answer {
  const { message, request } = talk;
  const block = blockSchema.safeParse(jsonAfter("Block:", message)).data;
  const data = z.record(z.string(), z.unknown()).safeParse(jsonAfter("Data:", message)).data ?? {};
  const page = z.object({ request: z.string() }).safeParse(jsonAfter("Page:", message)).data;
  const language = languageIn(talk, page?.request ?? "");
  const values = Object.values(data);
  const names = [...request.matchAll(/“([^”…]+)”/g)].map(([, name = ""]) => name);
  if (block?.componentType === "suggestion_list") {
    const items = suggested(values, language);
    if (items.length > 0) return text(JSON.stringify({ items }));
    return text(say.NOTHING_TO_SAY[language]);
  }
  if (block?.componentType === "question_generator") return text(say.needsModel(titleOf(request), language));
  const order = /\b(Rank them|Lowest first)\b|(从低到高)?排名/.exec(request);
  const isLowest = /Lowest|从低到高/.test(order?.[0] ?? "");
  const lists = order === null ? [] : values.flatMap((value) => ranked(value, isLowest));
  const isEach = names.length === values.length && names.length > 1;
  const lines = values.flatMap((value, i) => narrated(value, isEach ? names.slice(i, i + 1) : names, language));
  const written = paragraphs([...lines, ...lists]);
  return text(written === "" ? say.NOTHING_TO_SAY[language] : written);
}

/** The analyst prompts contain the language; otherwise the words decide. */
function languageIn({ language }: Talk, words: string): Language {
  if (language === undefined) return languageOf(words);
  return language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function text(words: string): Answer {
  return { kind: "text", text: words };
}

function call(name: string, args: Readonly<Record<string, unknown>>): Answer {
  return { kind: "calls", calls: [{ name, arguments: args }] };
}
