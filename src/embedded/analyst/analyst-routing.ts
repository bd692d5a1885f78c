// Classifies a message to the analyst.

import { detectSmallTalk } from "../small-talk.ts";
import { parseEdit } from "./page-edits.ts";
import { findNamedTables, type AnalysisData } from "./analysis-data.ts";
import { planAnalysis } from "./analysis-plan.ts";
import { REMOVES_FILTERS } from "./row-filters.ts";
import { INSTEAD, parseAnalysisRequest, type ParsedAnalysis } from "./parse-analysis.ts";
import type { LocalizedText } from "../../language/detect-language.ts";

export type AnalystRoute =
  | { readonly intent: "chat_smalltalk" | "chat_qa" | "build_workflow" | "chat" | "refine" | "rebuild" }
  | { readonly intent: "clarify"; readonly question: LocalizedText; readonly hint: "needClassId" | null };

/** Clearly asks for an analysis. */
const STRONG =
  /\b(?:trends?|distribut\w*|histogram|compar\w*|rank\w*|analy[sz]\w*|summar\w*|reports?|charts?|dashboard|overview|correlat\w*)\b|趋势|走势|分布|对比|比较|排名|排行|分析|汇总|报告|图表|概[况览述括]|统计|相关性/i;
const QUESTION =
  /[?？]\s*$|^(?:which|what|who|why|how|is|are|does|do|did|was|were|when|where|explain|tell me)\b|谁|哪|什么|多少|[吗呢]$|为什么|怎么|是否|解释|说明一下/i;
/** Continues the current page, even as a question. */
const AND = /^(?:and|what about|how about|now|那么?|再看?|还有)(?![a-z])|\b(?:what|how) about\b|呢[?？]?$/i;
/** Asks to undo the last change. */
const UNDO =
  /\b(?:undo|revert|roll ?back|restore)\b|^(?:please )?(?:go |take (?:it|that) |put (?:it|that) )?back\b|\b(?:as|the way|what|like) it was\b|\b(?:previous|last) version\b|撤[销回]|还原|恢复|退回|返回|回退|^回到|改回/i;
const MAX_UNDO_LENGTH = 60;
/** Asks for a variation of the current page. */
const OTHERWISE =
  /^and\b|\b(?:just|only|all (?:the )?rows|filters?|above|below|over|under|excluding|except|where)\b|\b(?:(?:more|less|greater|higher|lower|fewer) than)\b|仅|只|筛选|[高低]于|超过|大于|小于|以[上下]|除了?|排除|不含|\b(?:instead|change|switch|use|by|make|replace|only the|top \d+|bottom \d+|and for|what about|how about|with)\b|改|换|按|用|呢$|前\s*\d/i;

export function routeFirstMessage(text: string, material: AnalysisData): AnalystRoute {
  const last = text.split("\n").at(-1) ?? "";
  if (detectSmallTalk(last) !== null) return { intent: "chat_smalltalk" };
  const wish = parseAnalysisRequest(text, material);
  const planned = planAnalysis(wish, material);
  switch (planned.kind) {
    case "plan":
      return { intent: "build_workflow" };
    case "ask":
      if (planned.hint === null && wish.table === undefined && !STRONG.test(text)) return { intent: "chat_qa" };
      return { intent: "clarify", question: planned.question, hint: planned.hint };
    case "beyond":
    case "none":
      return { intent: "chat_qa" };
  }
}

export const isUndoRequest = (text: string): boolean => text.length <= MAX_UNDO_LENGTH && UNDO.test(text.trim());

/** True if a message may be about the current page. */
export const continuesPage = (text: string): boolean =>
  isUndoRequest(text) ||
  parseEdit(text) !== null ||
  AND.test(text) ||
  OTHERWISE.test(text) ||
  REMOVES_FILTERS.test(text);

/** The page as the router sees it; `blocks` are the kinds of its blocks, `changes` the number of undoable changes. */
export type PageOutline = {
  readonly name: string;
  readonly description: string;
  readonly blocks: readonly string[];
  readonly changes: number;
};

export function routePageMessage(text: string, material: AnalysisData, page: PageOutline): AnalystRoute {
  const { name, description, blocks, changes } = page;
  if (isUndoRequest(text)) return { intent: changes > 0 ? "refine" : "chat" };
  if (detectSmallTalk(text) !== null) return { intent: "chat" };
  const edit = parseEdit(text);
  const has = (component: string) => blocks.some((block) => block.includes(component));
  const isThere =
    edit?.type === "rename"
      ? edit.component === null || has(edit.component)
      : edit?.type !== "remove" || has(edit.component);
  if (edit !== null) return { intent: isThere ? "refine" : "chat" };
  const [shown] = findNamedTables(`${name}\n${description}`, material).filter((one) => !one.is_sample);
  const wish = parseAnalysisRequest(text, material, shown === undefined ? {} : { table: shown });
  const { kind, groups, student, isBeyond } = wish;
  const { table } = parseAnalysisRequest(text, material);
  const planned = planAnalysis(wish, material);
  const isAsked = QUESTION.test(text) && !/\b(?:by|per) (?:day|week|month|quarter|year)\b/i.test(text);
  // "And the worst?" reverses the current order.
  const isTurned = wish.isLowest === true && !isAsked;
  const isChanged = OTHERWISE.test(text) && (namesData(wish) || isTurned || REMOVES_FILTERS.test(text));
  if (isBeyond === true) return { intent: "chat" };
  const isNew = kind !== undefined && STRONG.test(text) && !INSTEAD.test(text) && !isAsked;
  if (isNew && planned.kind === "plan" && (groups ?? table ?? student) !== undefined) return { intent: "rebuild" };
  // Another analysis of the same data, which the words do not repeat.
  if (isNew) return { intent: "refine" };
  if (isChanged && (!isAsked || AND.test(text))) return { intent: "refine" };
  return { intent: "chat" };
}

function namesData(wish: ParsedAnalysis): boolean {
  const { measure, by, missing, filters, bucket, reckoning, limit, groups, assignment, year } = wish;
  return [measure, by, missing, filters, bucket, reckoning, limit, groups, assignment, year].some(
    (one) => one !== undefined,
  );
}
