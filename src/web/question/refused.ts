import { currentLanguage, sayIn } from "../language.ts";
import type { Refusal } from "../refusal.ts";
import { WORDS } from "./words.ts";

const KNOWN = ["question_answered", "question_expired", "question_cancelled"] as const;

/** Formats the reason why an answer was refused. */
export function refusalWords({ code, message }: Refusal): string {
  const say = sayIn(currentLanguage(), WORDS);
  const known = KNOWN.find((name) => name === code);
  return known === undefined ? (code === "internal" ? say("failed") : message) : say(known);
}
