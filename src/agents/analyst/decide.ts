// F104, F105, F106. Maps the reply of the router model to an action: a pure rule over intent and confidence.

import * as z from "zod";
import {
  FOLLOW_UP_INTENTS,
  INITIAL_INTENTS,
  ROUTE_HINTS,
  type Action,
  type RouteHint,
} from "../../protocol/analysis.ts";

/** `follow_up` means that there is a page which the message may be about. */
export type Mode = "initial" | "follow_up";

/** Minimum confidence to start building. */
const SURE = 0.7;
/** Below this confidence the message is treated as small talk. */
const VAGUE = 0.4;

/** The router's reply as the model wrote it. Not trusted. */
export type Route = {
  readonly intent: string;
  readonly confidence: number | string;
  readonly clarifyingQuestion: string;
  readonly routeHint: RouteHint | null;
};

export type Decision =
  | { readonly action: Exclude<Action, "clarify"> }
  | { readonly action: "clarify"; readonly question: string; readonly hint: RouteHint | null };

/** Parses the router's reply. Accepts `snake_case` and `camelCase`. Only the intent is required to be usable. */
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
 * Returns the action for a reply. The intent selects the action, and the confidence decides whether it is carried out;
 * `should_build` is ignored. An intent that is unknown in this mode becomes chat.
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

/** Returns a number from 0 to 1; 0 if the input is not a number. */
function confidenceOf(given: number | string): number {
  const number = typeof given === "string" && given.trim() === "" ? Number.NaN : Number(given);
  return Number.isNaN(number) ? 0 : Math.min(1, Math.max(0, number));
}
