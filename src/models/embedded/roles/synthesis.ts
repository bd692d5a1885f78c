// The synthesis: lists each result unchanged, and the failures.

import * as z from "zod";
import { languageOf } from "../../../protocol/words/language.ts";
import * as phrases from "../phrases.ts";
import { listAfter, type Talk } from "../talk.ts";
import type { Answer } from "../wire.ts";

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

export function synthesis(talk: Talk): Answer {
  const language = languageOf(talk.request, talk.language);
  const lines = listAfter("Results:", talk.message).flatMap((entry) => {
    const line = lineSchema.safeParse(entry);
    return line.success ? [line.data] : [];
  });
  if (lines.length === 0) return { kind: "text", text: phrases.noResults(language) };
  const told = lines.map(({ title, status, result, error, verification }) => {
    const isWell = status === "completed" || status === "scheduled";
    const checked = phrases.verified(verification?.verified, verification?.reason ?? "", language);
    const outcome = (isWell ? (result ?? "").trim() : phrases.failure(status, error ?? "", language)) + checked;
    if (title === "" || outcome.includes(title)) return `- ${outcome}`;
    if (outcome.includes("\n")) return `- ${title}:\n\n${outcome}\n`;
    return language === "zh" ? `- ${title}：${outcome}` : `- ${title}: ${outcome}`;
  });
  return { kind: "text", text: `${phrases.resultsHeading(language)}\n\n${told.join("\n")}` };
}
