// Classifies a message to the analyst.

import { detectSmallTalk } from "../small-talk.ts";
import type { AnalysisData } from "./analysis-data.ts";
import { parseEdit } from "./page-edits.ts";
import { planAnalysis, type AnalysisPlan } from "./plan-analysis.ts";

export type AnalystRoute =
  | { readonly intent: "chat_smalltalk" | "chat_qa" | "build_workflow" | "chat" | "refine" | "rebuild" }
  | { readonly intent: "clarify"; readonly plan: Extract<AnalysisPlan, { kind: "ask" }> };

const QUESTION =
  /[?？]\s*$|^(?:which|what|who|why|how|is|are|does|do|did|was|were|when|where|explain|tell me)\b|谁|哪|什么|多少|[吗呢]$|为什么|怎么/i;
const UNDO = /\b(?:undo|revert|restore)\b|^(?:please )?(?:go )?back\b|撤[销回]|还原|恢复|退回|返回|^回到|改回/i;
const MAX_UNDO_LENGTH = 60;

export const isUndoRequest = (text: string): boolean => text.length <= MAX_UNDO_LENGTH && UNDO.test(text.trim());

/** `text` is the first message and, after a question, its answer. */
export function routeFirstMessage(text: string, message: string, data: AnalysisData): AnalystRoute {
  if (detectSmallTalk(message) !== null) return { intent: "chat_smalltalk" };
  const plan = planAnalysis(text, data);
  if (plan.kind === "ask") return { intent: "clarify", plan };
  return { intent: plan.kind === "page" ? "build_workflow" : "chat_qa" };
}

/** `changes` is the number of changes of the page that can be undone. */
export function routePageMessage(
  text: string,
  data: AnalysisData,
  page: { blocks: readonly string[]; changes: number },
): AnalystRoute {
  if (isUndoRequest(text)) return { intent: page.changes > 0 ? "refine" : "chat" };
  if (detectSmallTalk(text) !== null) return { intent: "chat" };
  const edit = parseEdit(text);
  if (edit !== null) {
    const isThere = edit.type !== "remove" || page.blocks.some((block) => block.includes(edit.component));
    return { intent: isThere ? "refine" : "chat" };
  }
  return { intent: !QUESTION.test(text) && planAnalysis(text, data).kind === "page" ? "rebuild" : "chat" };
}
