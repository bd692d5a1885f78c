import { getLanguage, sayIn } from "../language.ts";
import type { UserError } from "../user-error.ts";
import { WORDS } from "./words.ts";

const TRANSLATED_CODES = ["question_answered", "question_expired", "question_cancelled"] as const;

/** Formats the reason why an answer was refused. */
export function formatAnswerRefusal({ code, message }: UserError): string {
  const say = sayIn(getLanguage(), WORDS);
  const known = TRANSLATED_CODES.find((name) => name === code);
  return known === undefined ? (code === "internal" ? say("failed") : message) : say(known);
}
