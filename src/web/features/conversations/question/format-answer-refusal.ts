import { getLanguage, getMessages } from "../../../session/language.ts";
import type { UserError } from "../../../session/user-error.ts";

const TRANSLATED_CODES = ["question_answered", "question_expired", "question_cancelled"] as const;

/**
 * Returns the reason why an answer was refused, in the current language: translated for the codes of a question that is
 * no longer open and for `internal`, otherwise the message of the server.
 */
export function formatAnswerRefusal({ code, message }: UserError): string {
  const t = getMessages(getLanguage(), "question");
  const known = TRANSLATED_CODES.find((name) => name === code);
  return known === undefined ? (code === "internal" ? t("sendFailed") : message) : t(known);
}
