// The synthesis: lists each result unchanged, and the failures.

import * as z from "zod";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import type { EmbeddedAnswer } from "../chat-completions.ts";
import { formatSentence } from "../messages.ts";
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
  const lines = parseListAfter("Results:", talk.message).flatMap((entry) => {
    const parsed = entrySchema.safeParse(entry);
    return parsed.success ? [formatEntry(parsed.data, language)] : [];
  });
  if (lines.length === 0) return { kind: "text", text: formatSentence("noResults", language) };
  return { kind: "text", text: `${formatSentence("results", language)}\n\n${lines.join("\n")}` };
}

function formatEntry({ title, status, result, error, verification }: ResultEntry, language: Language): string {
  const formatWhy = (reason: string) => (reason === "" ? "" : formatSentence("why", language, { reason }));
  const isWell = status === "completed" || status === "scheduled";
  const failure = formatSentence(status === "cancelled" ? "taskCancelled" : "taskFailed", language, {
    why: formatWhy(error),
  });
  const outcome =
    (isWell ? result.trim() : failure) +
    formatVerification(verification, formatWhy(verification?.reason ?? ""), language);
  if (title === "" || outcome.includes(title)) return `- ${outcome}`;
  return outcome.includes("\n") ? `- ${title}:\n\n${outcome}\n` : `- ${title}${formatWhy(outcome)}`;
}

function formatVerification(verification: ResultEntry["verification"], why: string, language: Language): string {
  if (verification === undefined) return "";
  if (verification.verified === false) return formatSentence("resultNotVerified", language, { why });
  return formatSentence(verification.verified === true ? "resultVerified" : "resultUnverified", language);
}
