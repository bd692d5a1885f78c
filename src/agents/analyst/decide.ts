// What follows from the router's words: a pure rule over an intent and a confidence (F104, F105, F106).

import * as z from "zod";
import {
  FOLLOW_UP_INTENTS,
  INITIAL_INTENTS,
  ROUTE_HINTS,
  type Action,
  type RouteHint,
} from "../../protocol/analysis.ts";

/** Follow-up: there is a page that the message may be about. */
export type Mode = "initial" | "follow_up";

/** From here on a wish to build is carried out. */
const SURE = 0.7;
/** Below this nothing is read into a message. */
const VAGUE = 0.4;

/** What a model says of a message, as it says it: nothing of it is trusted. */
export type Route = {
  readonly intent: string;
  readonly confidence: number | string;
  readonly clarifyingQuestion: string;
  readonly routeHint: RouteHint | null;
};

export type Decision =
  | { readonly action: Exclude<Action, "clarify"> }
  | { readonly action: "clarify"; readonly question: string; readonly hint: RouteHint | null };

/** Reads `snake_case` and `camelCase`; what is missing besides the intent does no harm. */
export const routeSchema = z
  .looseObject({
    intent: z.string().min(1),
    confidence: z.union([z.number(), z.string()]),
    should_build: z.boolean().nullish().catch(null).describe("Whether an analysis is to be built now."),
    clarifying_question: z.string().nullish().describe("With clarify: the one question to ask."),
    route_hint: z
      .enum(ROUTE_HINTS)
      .nullish()
      .catch(null)
      .describe("With clarify: what is missing, if it is one of these."),
  })
  .transform((given): Route => {
    const hint = z.enum(ROUTE_HINTS).safeParse(given.route_hint ?? given["routeHint"]);
    const question = given.clarifying_question ?? given["clarifyingQuestion"];
    return {
      intent: given.intent,
      confidence: given.confidence,
      clarifyingQuestion: typeof question === "string" ? question.trim() : "",
      routeHint: hint.success ? hint.data : null,
    };
  });

/**
 * The action for a route. The intent says what is wanted and the confidence whether that is good enough; `should_build`
 * has no say. An intent that does not exist in this mode is talk.
 */
export function decide(mode: Mode, route: Route): Decision {
  const named = route.intent.trim().toLowerCase();
  if (mode === "follow_up") {
    const intent = FOLLOW_UP_INTENTS.find((known) => known === named);
    return { action: intent ?? "chat" };
  }
  const intent = INITIAL_INTENTS.find((known) => known === named);
  if (intent === undefined) return { action: "chat_smalltalk" };
  if (intent === "chat_smalltalk" || intent === "chat_qa") return { action: intent };
  const confidence = confidenceOf(route.confidence);
  if (confidence < VAGUE) return { action: "chat_smalltalk" };
  if (confidence >= SURE && intent === "build_workflow") return { action: intent };
  return { action: "clarify", question: route.clarifyingQuestion, hint: route.routeHint };
}

/** A number from 0 to 1. What is no number is no confidence. */
function confidenceOf(given: number | string): number {
  const number = typeof given === "string" && given.trim() === "" ? Number.NaN : Number(given);
  return Number.isNaN(number) ? 0 : Math.min(1, Math.max(0, number));
}
