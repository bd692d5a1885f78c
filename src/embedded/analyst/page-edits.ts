// Reads edits of a page (another kind of chart, a block less) and turns them into operations.

import * as z from "zod";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { blankAll, findUnreadWords } from "./analysis-words.ts";
import type { RuleJson } from "./page-draft.ts";

/** The part of a blueprint that edits need. */
const editablePageSchema = z.object({
  uiComposition: z.object({
    tabs: z.array(z.object({ slots: z.array(z.object({ id: z.string(), componentType: z.string() })) })),
  }),
});

export type PageEdit =
  | { readonly type: "draw"; readonly component: "chart"; readonly variant: string }
  | { readonly type: "remove"; readonly component: string };

const VARIANTS: readonly (readonly [string, RegExp])[] = [
  ["line", /\blines?\b|折线图?|曲线图?/gi],
  ["bar", /\bbars?\b|柱状?图?|条形图?/gi],
  ["pie", /\bpie\b|饼状?图?/gi],
];
const COMPONENTS: readonly (readonly [string, RegExp])[] = [
  ["chart", /\b(?:charts?|graphs?)\b|图表?/gi],
  ["table", /\btables?\b|表格?/gi],
];
const REMOVE = /\b(?:remove|delete|drop|hide|without)\b|去掉|删[除掉]?|隐藏|不要/gi;
const CHANGE = /\b(?:make|change|turn|switch|convert|use|show|draw|as|instead|into)\b|改|换|变|用|转|画/gi;
const MAX_EDIT = 120;

const findName = (names: readonly (readonly [string, RegExp])[], line: string): string | undefined =>
  names.find(([, words]) => line.search(words) >= 0)?.[0];

/** Returns the edit in a line; null if it has none, or words that say more than the edit. */
export function parseEdit(said: string): PageEdit | null {
  const line = normalizeCharacters(said.trim());
  const variant = findName(VARIANTS, line);
  const component = findName(COMPONENTS, line) ?? (variant === undefined ? undefined : "chart");
  const words = [...VARIANTS, ...COMPONENTS].map(([, pattern]) => pattern);
  const rest = [...words, REMOVE, CHANGE].reduce(blankAll, line);
  if (component === undefined || line.length > MAX_EDIT || /[?？]/.test(line) || findUnreadWords(rest).length > 0)
    return null;
  if (line.search(REMOVE) >= 0) return { type: "remove", component };
  return variant === undefined || component !== "chart" ? null : { type: "draw", component, variant };
}

/** Returns the operations that a message asks for; empty if it has no edit or the page has no such block. */
export function planOperations(message: string, page: unknown): readonly RuleJson[] {
  const { tabs } = editablePageSchema.safeParse(page).data?.uiComposition ?? { tabs: [] };
  const edit = parseEdit(message);
  const slots = tabs.flatMap((tab) => tab.slots).filter(({ componentType }) => componentType === edit?.component);
  switch (edit?.type) {
    case "draw":
      return slots.slice(0, 1).map(({ id }) => ({ op: "update_props", slotId: id, props: { variant: edit.variant } }));
    case "remove":
      return slots.slice(-1).map(({ id }) => ({ op: "remove_block", slotId: id }));
    case undefined:
      return [];
  }
}
