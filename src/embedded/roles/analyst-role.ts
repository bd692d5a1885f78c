// The analyst roles: classify a message, plan and change pages, write texts, answer questions. All numbers come from
// the input.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createTitle } from "../../language/text-spans.ts";
import { ANALYST_ABILITIES } from "../analyst/analyst-abilities.ts";
import { parseAnalysisData } from "../analyst/analysis-data.ts";
import { isUndoRequest, routeFirstMessage, routePageMessage } from "../analyst/analyst-routing.ts";
import { describeChart, describeResult } from "../analyst/describe-results.ts";
import { planOperations } from "../analyst/page-edits.ts";
import { planAnalysis } from "../analyst/plan-analysis.ts";
import { createCallAnswer, createTextAnswer, type EmbeddedAnswer } from "../chat-completions.ts";
import { formatRoleHelp } from "../format-help.ts";
import { formatSentence, formatSmallTalk } from "../messages.ts";
import { listEarlierRequests, parseJsonAfter, type PromptContext } from "../prompt-context.ts";
import { detectSmallTalk } from "../small-talk.ts";

const ROLE_HANDLERS: ReadonlyMap<string, (talk: PromptContext) => EmbeddedAnswer> = new Map([
  ["router", handleRouting],
  ["blueprint", handleBlueprint],
  ["chat", handleChat],
  ["page_chat", handlePageChat],
  ["compose", handleCompose],
]);

/** Returns null for a role that is not the analyst's. */
export function answerAsAnalyst(talk: PromptContext, role: string): EmbeddedAnswer | null {
  return ROLE_HANDLERS.get(role)?.(talk) ?? null;
}

const askedSchema = z.object({ request: z.string() });
const outlineSchema = z.object({
  name: z.string().catch(""),
  blocks: z.array(z.string()).catch([]),
  changes: z.number().catch(0),
});

function handleRouting(talk: PromptContext): EmbeddedAnswer {
  const { request, message } = talk;
  const data = parseAnalysisData(message);
  const page = parseJsonAfter("Page:", message);
  const asked = askedSchema.safeParse(parseJsonAfter("Their earlier request, and what they were asked back:", message));
  const whole = asked.success ? `${asked.data.request} ${request}` : request;
  const route =
    page === undefined
      ? routeFirstMessage(whole, request, data)
      : routePageMessage(request, data, outlineSchema.parse(page));
  const { intent } = route;
  if (route.intent !== "clarify") return createCallAnswer("route", { intent, confidence: 0.9 });
  const clarifying_question = route.plan.question[getAnswerLanguage(talk, request)];
  const hint = route.plan.isAboutClasses ? { route_hint: "needClassId" } : {};
  return createCallAnswer("route", { intent, confidence: 0.6, clarifying_question, ...hint });
}

function handleBlueprint(talk: PromptContext): EmbeddedAnswer {
  // Later messages only report errors of the plan.
  const orders = [talk.message, ...listEarlierRequests(talk)];
  const message = orders.find((text) => /^(?:Request|Message):\n```json$/m.test(text)) ?? talk.message;
  const blueprint = parseJsonAfter("Blueprint:", message);
  const wanted = String(parseJsonAfter(blueprint === undefined ? "Request:" : "Message:", message));
  const language = getAnswerLanguage(talk, wanted);
  // A rejected plan would be rejected again.
  if (talk.outcomes.length > 0) return createDecline(wanted, language);
  if (blueprint !== undefined) {
    if (isUndoRequest(wanted)) return createCallAnswer("restore_blueprint", { steps: 1 });
    const operations = planOperations(wanted, blueprint);
    return operations.length === 0
      ? createDecline(wanted, language)
      : createCallAnswer("patch_blueprint", { operations });
  }
  const plan = planAnalysis(wanted.replaceAll("\n", " "), parseAnalysisData(message));
  switch (plan.kind) {
    case "page":
      return createCallAnswer("create_blueprint", plan.createBlueprint(language));
    case "ask":
      return createTextAnswer(plan.question[language]);
    case "unsupported":
      return createDecline(wanted, language);
  }
}

function handleChat(talk: PromptContext): EmbeddedAnswer {
  const { request } = talk;
  const language = getAnswerLanguage(talk, request);
  const kind = detectSmallTalk(request);
  if (kind === "what") return createTextAnswer(formatRoleHelp(ANALYST_ABILITIES, language));
  if (kind === null) return createDecline(request, language);
  return createTextAnswer(formatSmallTalk(kind, language));
}

function handlePageChat(talk: PromptContext): EmbeddedAnswer {
  const { request, message } = talk;
  const language = getAnswerLanguage(talk, request);
  if (detectSmallTalk(request) !== null) return handleChat(talk);
  if (isUndoRequest(request)) return createTextAnswer(formatSentence("nothingChanged", language));
  const page = parseJsonAfter("Page:", message);
  const { name = "" } = outlineSchema.safeParse(page).data ?? {};
  const shown = [name, ...describeChart(page)].join("\n");
  return createTextAnswer(formatSentence("pageContent", language, { shown }));
}

const blockSchema = z.object({ componentType: z.string() });

/** Writes texts only; other written blocks are left to a real model. */
function handleCompose(talk: PromptContext): EmbeddedAnswer {
  const { message, request } = talk;
  const block = blockSchema.safeParse(parseJsonAfter("Block:", message)).data;
  const data = z.record(z.string(), z.unknown()).safeParse(parseJsonAfter("Data:", message)).data ?? {};
  const page = askedSchema.safeParse(parseJsonAfter("Page:", message)).data;
  const language = getAnswerLanguage(talk, page?.request ?? "");
  const names = [...request.matchAll(/“([^”…]+)”/g)].map(([, name = ""]) => name);
  const results = block?.componentType === "markdown" ? Object.values(data) : [];
  const texts = results.map((value) => describeResult(value, names, language)).filter((text) => text !== "");
  return createTextAnswer(texts.join("\n\n") || formatSentence("nothingToSay", language));
}

/** The analyst prompts contain the language; otherwise the words decide. */
function getAnswerLanguage({ language }: PromptContext, words: string): Language {
  if (language === undefined) return detectLanguage(words);
  return language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

const createDecline = (request: string, language: Language): EmbeddedAnswer =>
  createTextAnswer(formatSentence("noAnalysis", language, { what: createTitle(request) }));
