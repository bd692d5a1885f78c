// Classifies a message to the analyst.

import { detectSmallTalk } from "../small-talk.ts";
import type { AnalysisData } from "./analysis-data.ts";
import { planRequest } from "./page-blueprints.ts";
import { parseEdit } from "./page-edits.ts";
import type { AnalysisPlan } from "./plan-analysis.ts";

export type AnalystRoute =
  | { readonly intent: "chat_smalltalk" | "chat_qa" | "build_workflow" | "chat" | "refine" | "rebuild" }
  | ({ readonly intent: "clarify" } & Omit<Extract<AnalysisPlan, { kind: "ask" }>, "kind">);

/** Clearly asks for an analysis. */
const STRONG =
  /\b(?:trends?|distribut\w*|compar\w*|rank\w*|analy[sz]\w*|summar\w*|reports?|charts?|overview|count)\b|趋势|走势|分布|对比|比较|排名|排行|分析|汇总|报告|图表|概[况览述括]|统计/i;
const QUESTION =
  /[?？]\s*$|^(?:which|what|who|why|how|is|are|does|do|did|was|were|when|where|explain|tell me)\b|谁|哪|什么|多少|[吗呢]$|为什么|怎么/i;
/** Asks for a variation of the page, even as a question. */
const VARIATION =
  /^(?:and|what about|how about|now|那么?|再看?|还有)(?![a-z])|呢[?？]?$|\b(?:just|only|filters?|excluding|except|instead|use|by)\b|\b(?:top|bottom) \d|仅|只|筛选|除了?|排除|不含|改|换|按|前\s*\d/i;
const UNDO =
  /\b(?:undo|revert|restore)\b|^(?:please )?(?:go )?back\b|\b(?:as|the way|what) it was\b|\b(?:previous|last) version\b|撤[销回]|还原|恢复|退回|返回|^回到|改回/i;
const MAX_UNDO_LENGTH = 60;

export function routeFirstMessage(text: string, data: AnalysisData): AnalystRoute {
  if (detectSmallTalk(text.split("\n").at(-1) ?? "") !== null) return { intent: "chat_smalltalk" };
  const { plan, wish } = planRequest(text, data);
  if (plan.kind === "page") return { intent: "build_workflow" };
  const isAboutData = wish.table !== undefined || wish.isAboutClasses === true || STRONG.test(text);
  return plan.kind === "ask" && isAboutData ? { ...plan, intent: "clarify" } : { intent: "chat_qa" };
}

export const isUndoRequest = (text: string): boolean => text.length <= MAX_UNDO_LENGTH && UNDO.test(text.trim());

/** True if a message may be about the current page. */
export const continuesPage = (text: string): boolean =>
  isUndoRequest(text) || parseEdit(text) !== null || VARIATION.test(text);

/** The page as the router sees it; `changes` is the number of changes that can be undone. */
export type PageOutline = { readonly name: string; readonly blocks: readonly string[]; readonly changes: number };

export function routePageMessage(text: string, data: AnalysisData, page: PageOutline): AnalystRoute {
  if (isUndoRequest(text)) return { intent: page.changes > 0 ? "refine" : "chat" };
  if (detectSmallTalk(text) !== null) return { intent: "chat" };
  const edit = parseEdit(text);
  if (edit !== null) {
    const isThere = edit.type !== "remove" || page.blocks.some((block) => block.includes(edit.component));
    return { intent: isThere ? "refine" : "chat" };
  }
  const isVariation = VARIATION.test(text);
  if (QUESTION.test(text) && !isVariation) return { intent: "chat" };
  const alone = planRequest(text, data);
  if (alone.plan.kind === "page" && alone.wish.kind !== undefined && STRONG.test(text)) return { intent: "rebuild" };
  const { plan } = planRequest(`${page.name}\n${text}`, data);
  const isKnown = plan.kind === "page" || plan.kind === "ask";
  return { intent: isKnown && (isVariation || STRONG.test(text)) ? "refine" : "chat" };
}
