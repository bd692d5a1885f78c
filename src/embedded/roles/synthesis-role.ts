// The synthesis: lists each result unchanged, and the failures.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createTextAnswer, type EmbeddedAnswer } from "../chat-completions.ts";
import { formatFailure, formatSentence } from "../messages.ts";
import { parseListAfter, type PromptContext } from "../prompt-context.ts";

const entrySchema = z.object({
  title: z.string().catch(""),
  status: z.string().catch("completed"),
  result: z.string().catch(""),
  error: z.string().catch(""),
  verification: z
    .object({ verified: z.union([z.boolean(), z.string()]), reason: z.string().default("") })
    .optional()
    .catch(undefined),
});
type ResultEntry = z.infer<typeof entrySchema>;

export function answerAsSynthesis(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const lines = parseListAfter("Results:", talk.message)
    .flatMap((entry) => entrySchema.safeParse(entry).data ?? [])
    .map((entry) => formatEntry(entry, language));
  if (lines.length === 0) return createTextAnswer(formatSentence("noResults", language));
  return createTextAnswer(`${formatSentence("results", language)}\n\n${lines.join("\n")}`);
}

function formatEntry({ title, status, result, error, verification }: ResultEntry, language: Language): string {
  const isWell = status === "completed" || status === "scheduled";
  const failure = formatFailure(status === "cancelled" ? "taskCancelled" : "taskFailed", error, language);
  const outcome = (isWell ? result.trim() : failure) + formatVerification(verification, language);
  if (title === "" || outcome.includes(title)) return `- ${outcome}`;
  return outcome.includes("\n")
    ? `- ${title}:\n\n${outcome}\n`
    : `- ${title}${formatSentence("why", language, { reason: outcome })}`;
}

function formatVerification(verification: ResultEntry["verification"], language: Language): string {
  if (verification === undefined) return "";
  if (verification.verified === false) return formatFailure("resultNotVerified", verification.reason, language);
  return formatSentence(verification.verified === true ? "resultVerified" : "resultUnverified", language);
}
