// Reads edits of a page (another kind of chart, a block more or less, undo) and turns them into operations.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { blankAll, findUnreadWords } from "./analysis-words.ts";
import { createSlot, pick, type RuleJson } from "./page-draft.ts";

/** The part of a blueprint that edits need; other fields pass through. */
export const editablePageSchema = z.looseObject({
  computeGraph: z.looseObject({
    nodes: z.array(z.looseObject({ outputKey: z.string(), toolName: z.string().nullish() })),
  }),
  uiComposition: z.looseObject({
    tabs: z.array(z.looseObject({ slots: z.array(z.looseObject({ id: z.string(), componentType: z.string() })) })),
  }),
});
type EditablePage = z.infer<typeof editablePageSchema>;

export type PageEdit =
  | { readonly type: "draw"; readonly variant: string }
  | { readonly type: "remove" | "add"; readonly component: string };

const VARIANTS: readonly (readonly [string, RegExp])[] = [
  ["distribution", /\bhistograms?\b|\bdistributions?\b|直方图?|分布图?/gi],
  ["line", /\blines?\b|折线图?|曲线图?/gi],
  ["bar", /\bbars?\b|柱状?图?|条形图?/gi],
  ["pie", /\bpie\b|饼状?图?/gi],
];
const COMPONENTS: readonly (readonly [string, RegExp])[] = [
  ["chart", /\b(?:charts?|graphs?)\b|图表?/gi],
  ["table", /\btables?\b|表格?/gi],
];
const REMOVE = /\b(?:remove|delete|drop|hide|without)\b|去掉|删[除掉]?|隐藏|不要/gi;
const ADD = /\b(?:add|include)\b|加[上个一入]?|添加?|增加/gi;
const CHANGE = /\b(?:make|change|turn|switch|convert|use|show|draw|as|instead|into)\b|改|换|变|用|转|画/gi;
const MAX_EDIT = 120;

/** The words for a kind of chart: `as a pie chart`, 做成折线图. */
export const CHART_WORDS =
  /\b(?:pie|line|bar|column)s?[ -](?:charts?|graphs?|plots?)\b|\bas a pie\b|(?:饼|折线|曲线|柱|条形)状?图/gi;

const findName = (names: readonly (readonly [string, RegExp])[], line: string): string | undefined =>
  names.find(([, words]) => line.search(words) >= 0)?.[0];

/** Returns the kind of chart that a request for an analysis names. */
export const findChartVariant = (line: string): string | undefined =>
  findName(VARIANTS, line.match(CHART_WORDS)?.[0] ?? "");

/** Returns the edit in a line; null if it has none, or words that say more than the edit. */
export function parseEdit(said: string): PageEdit | null {
  const line = normalizeCharacters(said.trim());
  const variant = findName(VARIANTS, line);
  const component = findName(COMPONENTS, line) ?? (variant === undefined ? undefined : "chart");
  const words = [...VARIANTS, ...COMPONENTS].map(([, pattern]) => pattern);
  const rest = [...words, REMOVE, ADD, CHANGE].reduce(blankAll, line);
  if (component === undefined || line.length > MAX_EDIT || /[?？]/.test(line) || findUnreadWords(rest).length > 0)
    return null;
  if (line.search(REMOVE) >= 0) return { type: "remove", component };
  if (line.search(ADD) >= 0) return { type: "add", component: variant ?? component };
  return variant === undefined || component !== "chart" ? null : { type: "draw", variant };
}

/** Returns the operations of an edit; empty if the page has no matching block or no data for it. */
export function buildOperations(page: EditablePage, edit: PageEdit, language: Language): readonly RuleJson[] {
  const slots = page.uiComposition.tabs.flatMap((tab) => tab.slots);
  const component = edit.type === "draw" ? "chart" : edit.component;
  const ids = slots.filter(({ componentType }) => componentType === component).map(({ id }) => id);
  switch (edit.type) {
    case "draw":
      return ids.slice(0, 1).map((slotId) => ({ op: "update_props", slotId, props: { variant: edit.variant } }));
    case "remove":
      return ids.slice(-1).map((slotId) => ({ op: "remove_block", slotId }));
    case "add":
      return component === "distribution" ? createDistributions(page, slots.length, language) : [];
  }
}

/** Adds the distributions of the statistics that the page computes. */
function createDistributions(page: EditablePage, n: number, language: Language): RuleJson[] {
  const props = { title: pick(language, "Distribution", "分布"), variant: "distribution" };
  return page.computeGraph.nodes.flatMap(({ outputKey, toolName }) => {
    const groups =
      toolName === "compare_performance" ? ["group_a.", "group_b."] : toolName === "calculate_stats" ? [""] : [];
    return groups.map((group, i) => {
      const slot = createSlot(`added_${n}_${i}`, "chart", `$compute.${outputKey}.${group}distribution`, props);
      return { op: "add_block", slot };
    });
  });
}
