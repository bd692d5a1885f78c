// F104, F105, F106. Maps the reply of the router model to an action: a pure rule over intent and confidence.

import * as z from "zod";
import {
  FOLLOW_UP_INTENTS,
  INITIAL_INTENTS,
  ROUTE_HINTS,
  type AnalysisAction,
  type RouteHint,
} from "../../../protocol/pages/analysis-api.ts";

/** `follow_up` means that there is a page which the message may be about. */
export type RouterMode = "initial" | "follow_up";

/** Minimum confidence to start building. */
const MIN_BUILD_CONFIDENCE = 0.7;
/** Below this confidence the message is treated as small talk. */
const MIN_CLARIFY_CONFIDENCE = 0.4;

/** The action for a message. `question` is empty if the model wrote none. */
export type RouteDecision =
  | { readonly action: Exclude<AnalysisAction, "clarify"> }
  | { readonly action: "clarify"; readonly question: string; readonly hint: RouteHint | null };

/** The router's reply as the model wrote it. Intent and confidence are required, but may be any text. */
export const routerReplySchema = z.looseObject({
  intent: z.string().min(1),
  confidence: z.union([z.number(), z.string()]),
  should_build: z.boolean().nullish().catch(null).describe("Whether an analysis is to be built now."),
  clarifying_question: z.string().nullish().describe("With clarify: the one question to ask."),
  route_hint: z
    .enum(ROUTE_HINTS)
    .nullish()
    .catch(null)
    .describe("With clarify: what is missing, if it is one of these."),
});
export type RouterReply = z.output<typeof routerReplySchema>;

/**
 * Returns the action for a reply. The intent selects the action; an intent that is unknown in this mode becomes chat.
 * In the mode `initial`, an intent to build or clarify also needs confidence: below 0.4 it becomes small talk, and
 * below 0.7 a question instead of building. `should_build` is ignored.
 */
export function decideAction(mode: RouterMode, route: RouterReply): RouteDecision {
  const intentName = route.intent.trim().toLowerCase();
  if (mode === "follow_up") {
    const intent = FOLLOW_UP_INTENTS.find((candidate) => candidate === intentName);
    return { action: intent ?? "chat" };
  }
  const intent = INITIAL_INTENTS.find((candidate) => candidate === intentName);
  if (intent === undefined) return { action: "chat_smalltalk" };
  if (intent === "chat_smalltalk" || intent === "chat_qa") return { action: intent };
  const confidence = parseConfidence(route.confidence);
  if (confidence < MIN_CLARIFY_CONFIDENCE) return { action: "chat_smalltalk" };
  if (confidence >= MIN_BUILD_CONFIDENCE && intent === "build_workflow") return { action: intent };
  return { action: "clarify", question: route.clarifying_question?.trim() ?? "", hint: route.route_hint ?? null };
}

/** Returns a number from 0 to 1; 0 if the input is not a number. */
function parseConfidence(confidence: number | string): number {
  const number = typeof confidence === "string" && confidence.trim() === "" ? Number.NaN : Number(confidence);
  return Number.isNaN(number) ? 0 : Math.min(1, Math.max(0, number));
}
