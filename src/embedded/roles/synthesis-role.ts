// The synthesis: lists each result unchanged, and the failures.

import * as z from "zod";
import { detectLanguage } from "../../language/detect-language.ts";
import * as phrases from "../embedded-messages.ts";
import { parseListAfter, type PromptContext } from "../prompt-context.ts";
import type { EmbeddedAnswer } from "../chat-completions.ts";

const lineSchema = z.object({
  title: z.string().catch(""),
  status: z.string().catch("completed"),
  result: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  verification: z
    .object({ verified: z.union([z.boolean(), z.string()]), reason: z.string().default("") })
    .optional()
    .catch(undefined),
});

export function answerAsSynthesis(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const lines = parseListAfter("Results:", talk.message).flatMap((entry) => {
    const line = lineSchema.safeParse(entry);
    return line.success ? [line.data] : [];
  });
  if (lines.length === 0) return { kind: "text", text: phrases.formatNoResults(language) };
  const told = lines.map(({ title, status, result, error, verification }) => {
    const isWell = status === "completed" || status === "scheduled";
    const checked = phrases.formatVerification(verification?.verified, verification?.reason ?? "", language);
    const outcome =
      (isWell ? (result ?? "").trim() : phrases.formatTaskFailure(status, error ?? "", language)) + checked;
    if (title === "" || outcome.includes(title)) return `- ${outcome}`;
    if (outcome.includes("\n")) return `- ${title}:\n\n${outcome}\n`;
    return language === "zh" ? `- ${title}：${outcome}` : `- ${title}: ${outcome}`;
  });
  return { kind: "text", text: `${phrases.formatResultsHeading(language)}\n\n${told.join("\n")}` };
}
