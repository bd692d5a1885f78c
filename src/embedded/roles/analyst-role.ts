// The analyst roles: classify a message, plan and change pages, write texts, answer questions. All numbers come from
// the input.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createTitle } from "../../language/text-spans.ts";
import * as say from "../analyst/analyst-messages.ts";
import { parseBlueprintChange, createRuleBlueprint } from "../analyst/rule-blueprints.ts";
import { parseEdit } from "../analyst/page-edits.ts";
import { parseAnalysisData } from "../analyst/analysis-data.ts";
import { describeResult, joinParagraphs, rankStudents, deriveSuggestions } from "../analyst/describe-results.ts";
import { answerPageQuestion, asksForUnknownItem } from "../analyst/page-answers.ts";
import { routeFirstMessage, isUndoRequest, routePageMessage, type AnalystRoute } from "../analyst/analyst-routing.ts";
import { isUnsupportedAnalysis } from "../analyst/parse-analysis.ts";
import * as phrases from "../embedded-messages.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { listEarlierRequests, parseJsonAfter, type PromptContext } from "../prompt-context.ts";
import type { EmbeddedAnswer } from "../chat-completions.ts";

const ROLES = ["router", "blueprint", "chat", "page_chat", "compose"] as const;
type AnalystRole = (typeof ROLES)[number];

/** Returns null for a role that is not the analyst's. */
export function answerAsAnalyst(talk: PromptContext, role: string): EmbeddedAnswer | null {
  const known = ROLES.find((one) => one === role);
  return known === undefined ? null : ROLE_HANDLERS[known](talk);
}

const ROLE_HANDLERS: Readonly<Record<AnalystRole, (talk: PromptContext) => EmbeddedAnswer>> = {
  router: handleRouting,
  blueprint: handleBlueprint,
  chat: handleChat,
  page_chat: handlePageChat,
  compose: handleCompose,
};

const askedSchema = z.object({ request: z.string() });
const outlineSchema = z.object({
  name: z.string().catch(""),
  description: z.string().catch(""),
  blocks: z.array(z.string()).catch([]),
  changes: z.number().catch(0),
});
const EARLIER = "Their earlier request, and what they were asked back:";

function handleRouting(talk: PromptContext): EmbeddedAnswer {
  const { request, message, now } = talk;
  const material = { ...parseAnalysisData(message), now };
  const page = parseJsonAfter("Page:", message);
  const asked = askedSchema.safeParse(parseJsonAfter(EARLIER, message));
  const outline = outlineSchema.safeParse(page).data ?? { name: "", description: "", blocks: [], changes: 0 };
  const decided: AnalystRoute =
    page !== undefined
      ? routePageMessage(request, material, outline)
      : routeFirstMessage(asked.success ? `${asked.data.request}\n${request}` : request, material);
  const { intent } = decided;
  const should_build = intent === "build_workflow" || intent === "refine" || intent === "rebuild";
  if (decided.intent !== "clarify") return createCallAnswer("route", { intent, confidence: 0.9, should_build });
  const clarifying_question = decided.question[getAnswerLanguage(talk, request)];
  const hint = decided.hint === null ? {} : { route_hint: decided.hint };
  return createCallAnswer("route", { intent, confidence: 0.6, should_build, clarifying_question, ...hint });
}

/** Returns the message with the order; later messages only report errors of its plan. */
function findOrder(talk: PromptContext): string {
  const orders = [talk.message, ...listEarlierRequests(talk)];
  return orders.find((text) => /^(?:Request|Message):\n```json$/m.test(text)) ?? talk.message;
}

function handleBlueprint(talk: PromptContext): EmbeddedAnswer {
  const { now } = talk;
  const message = findOrder(talk);
  const material = { ...parseAnalysisData(message), now };
  const blueprint = parseJsonAfter("Blueprint:", message);
  const wanted = toTextOrEmpty(parseJsonAfter(blueprint === undefined ? "Request:" : "Message:", message));
  const language = getAnswerLanguage(talk, wanted);
  const beyond = createTextAnswer(say.formatAnalystNeedsModel(createTitle(wanted), language));
  // A rejected plan would be rejected again.
  if (talk.outcomes.length > 0) return beyond;
  if (blueprint !== undefined && isUndoRequest(wanted)) {
    const isAll = /\b(?:all|everything|original|start|first)\b|全部|所有|最初|原来|一开始/i.test(wanted);
    return createCallAnswer("restore_blueprint", { steps: isAll ? 100 : 1 });
  }
  if (blueprint === undefined) {
    const fresh = createRuleBlueprint(wanted, material, language);
    return fresh === null ? beyond : createCallAnswer("create_blueprint", fresh);
  }
  const change = parseBlueprintChange(wanted, blueprint, material, language);
  if (change === null) return beyond;
  return change.type === "patch"
    ? createCallAnswer("patch_blueprint", { operations: change.operations })
    : createCallAnswer("create_blueprint", change.blueprint);
}

function handleChat(talk: PromptContext): EmbeddedAnswer {
  const { request } = talk;
  const language = getAnswerLanguage(talk, request);
  const kind = detectSmallTalk(request);
  if (kind === "who") return createTextAnswer(phrases.formatIdentity(language));
  if (kind === "what") return createTextAnswer(say.ANALYST_CAPABILITIES[language]);
  if (kind !== null && kind !== "last_question") return createTextAnswer(phrases.formatSmallTalk(kind, language));
  return createTextAnswer(
    say.explainTerm(request, language) ?? say.formatAnalystNeedsModel(createTitle(request), language),
  );
}

const namedSchema = z.object({ name: z.string().catch(""), description: z.string().catch("") });

function handlePageChat(talk: PromptContext): EmbeddedAnswer {
  const { request, message } = talk;
  const language = getAnswerLanguage(talk, request);
  const kind = detectSmallTalk(request);
  if (kind !== null) return handleChat(talk);
  const page = parseJsonAfter("Page:", message);
  if (isUnsupportedAnalysis(request))
    return createTextAnswer(say.formatAnalystNeedsModel(createTitle(request), language));
  if (isUndoRequest(request)) return createTextAnswer(say.NOTHING_CHANGED[language]);
  if (parseEdit(request) !== null) return createTextAnswer(say.NO_SUCH_BLOCK[language]);
  const term = say.explainTerm(request, language);
  if (term !== null && /^what(?:'s| is) an? |什么是|是什么意思/i.test(request)) return createTextAnswer(term);
  const data = parseJsonAfter("Data:", message);
  if (!asksForUnknownItem(request, JSON.stringify([page, data]))) {
    const answer = answerPageQuestion(page, data, request, language) ?? term;
    if (answer !== null) return createTextAnswer(answer);
  }
  const about = namedSchema.safeParse(page).data;
  return createTextAnswer(say.formatNotOnPage([about?.name ?? "", about?.description ?? ""].filter(Boolean), language));
}

const blockSchema = z.object({ componentType: z.string(), props: z.record(z.string(), z.unknown()).catch({}) });

function handleCompose(talk: PromptContext): EmbeddedAnswer {
  const { message, request } = talk;
  const block = blockSchema.safeParse(parseJsonAfter("Block:", message)).data;
  const data = z.record(z.string(), z.unknown()).safeParse(parseJsonAfter("Data:", message)).data ?? {};
  const page = z.object({ request: z.string() }).safeParse(parseJsonAfter("Page:", message)).data;
  const language = getAnswerLanguage(talk, page?.request ?? "");
  const values = Object.values(data);
  const names = [...request.matchAll(/“([^”…]+)”/g)].map(([, name = ""]) => name);
  if (block?.componentType === "suggestion_list") {
    const items = deriveSuggestions(values, language);
    if (items.length > 0) return createTextAnswer(JSON.stringify({ items }));
    return createTextAnswer(say.NOTHING_TO_SAY[language]);
  }
  if (block?.componentType === "question_generator")
    return createTextAnswer(say.formatAnalystNeedsModel(createTitle(request), language));
  const order = /\b(Rank them|Lowest first)\b|(从低到高)?排名/.exec(request);
  const isLowest = /Lowest|从低到高/.test(order?.[0] ?? "");
  const lists = order === null ? [] : values.flatMap((value) => rankStudents(value, isLowest));
  const isEach = names.length === values.length && names.length > 1;
  const lines = values.flatMap((value, i) => describeResult(value, isEach ? names.slice(i, i + 1) : names, language));
  const written = joinParagraphs([...lines, ...lists]);
  return createTextAnswer(written === "" ? say.NOTHING_TO_SAY[language] : written);
}

/** The analyst prompts contain the language; otherwise the words decide. */
function getAnswerLanguage({ language }: PromptContext, words: string): Language {
  if (language === undefined) return detectLanguage(words);
  return language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function toTextOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function createTextAnswer(words: string): EmbeddedAnswer {
  return { kind: "text", text: words };
}

function createCallAnswer(name: string, args: Readonly<Record<string, unknown>>): EmbeddedAnswer {
  return { kind: "calls", calls: [{ name, arguments: args }] };
}
