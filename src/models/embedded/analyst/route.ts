// What a message to the analyst is.

import { readTalk } from "../small-talk.ts";
import { editIn } from "./edits.ts";
import type { Material } from "./material.ts";
import { plannedFrom } from "./plan.ts";
import { INSTEAD, readWish, type Wish } from "./wish.ts";
import type { Both } from "../../../protocol/words/language.ts";

export type Route =
  | { readonly intent: "chat_smalltalk" | "chat_qa" | "build_workflow" | "chat" | "refine" | "rebuild" }
  | { readonly intent: "clarify"; readonly question: Both; readonly hint: "needClassId" | null };

/** Says by itself that data is to be looked at. */
const STRONG =
  /\b(?:trends?|distribut\w*|histogram|compar\w*|rank\w*|analy[sz]\w*|summar\w*|reports?|charts?|dashboard|overview)\b|趋势|走势|分布|对比|比较|排名|排行|分析|汇总|报告|图表|概[况览述括]|统计/i;
const QUESTION =
  /[?？]\s*$|^(?:which|what|who|why|how|is|are|does|do|did|was|were|when|where|explain|tell me)\b|谁|哪|什么|多少|[吗呢]$|为什么|怎么|是否|解释|说明一下/i;
/** Says that what is there is to be otherwise. */
const OTHERWISE =
  /\b(?:instead|change|switch|use|by|make|replace|only the|top \d+|bottom \d+|and for|what about|how about|with)\b|改|换|按|用|呢$|前\s*\d/i;

export function firstRoute(text: string, material: Material): Route {
  const last = text.split("\n").at(-1) ?? "";
  if (readTalk(last) !== null) return { intent: "chat_smalltalk" };
  const planned = plannedFrom(readWish(text, material), material);
  switch (planned.kind) {
    case "plan":
      return { intent: "build_workflow" };
    case "ask":
      if (planned.hint === null && !STRONG.test(text)) return { intent: "chat_qa" };
      return { intent: "clarify", question: planned.question, hint: planned.hint };
    case "beyond":
    case "none":
      return { intent: "chat_qa" };
  }
}

/** `blocks` are the kinds of blocks that the page has. */
export function nextRoute(text: string, material: Material, blocks: readonly string[]): Route {
  if (readTalk(text) !== null) return { intent: "chat" };
  const edit = editIn(text);
  const isThere = edit?.type !== "remove" || blocks.some((block) => block.includes(edit.component));
  if (edit !== null) return { intent: isThere ? "refine" : "chat" };
  const wish = readWish(text, material);
  const { kind, table, groups, student, isBeyond } = wish;
  const planned = plannedFrom(wish, material);
  const isChanged = OTHERWISE.test(text) && saysData(wish);
  const isAsked = QUESTION.test(text) && !/\b(?:by|per) (?:day|week|month|quarter|year)\b/i.test(text);
  if (isBeyond === true) return { intent: "chat" };
  const isNew = kind !== undefined && STRONG.test(text) && !INSTEAD.test(text) && !isAsked;
  if (isNew && planned.kind === "plan" && (groups ?? table ?? student) !== undefined) return { intent: "rebuild" };
  // Another look at what the page is about, which the words do not say again.
  if (isNew) return { intent: "refine" };
  if (isChanged && !(isAsked && !/\b(?:what|how) about\b|呢[?？]?$/i.test(text))) return { intent: "refine" };
  return { intent: "chat" };
}

function saysData({ measure, by, bucket, reckoning, limit, groups, assignment, year, isLowest }: Wish): boolean {
  return (
    [measure, by, bucket, reckoning, limit, groups, assignment, year].some((one) => one !== undefined) ||
    isLowest === true
  );
}
