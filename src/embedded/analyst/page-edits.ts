// Reads edits of a page (add, remove, move, rename, other chart) and turns them into operations on its blueprint.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { pickByLanguage, type RuleJson } from "./blueprint-parts.ts";

/** The part of a blueprint that edits need; other fields pass through. */
export const editablePageSchema = z.looseObject({
  name: z.string(),
  version: z.number().catch(1),
  sourcePrompt: z.string().catch(""),
  dataContract: z.looseObject({ bindings: z.array(z.looseObject({ id: z.string() })).catch([]) }),
  computeGraph: z.looseObject({
    nodes: z.array(z.looseObject({ id: z.string(), outputKey: z.string(), toolName: z.string().optional() })),
  }),
  uiComposition: z.looseObject({
    tabs: z.array(
      z.looseObject({
        id: z.string(),
        slots: z.array(
          z.looseObject({
            id: z.string(),
            componentType: z.string(),
            dataBinding: z.string().nullish(),
            props: z.record(z.string(), z.unknown()).catch({}),
          }),
        ),
      }),
    ),
  }),
});
export type EditablePage = z.infer<typeof editablePageSchema>;
type EditableSlot = EditablePage["uiComposition"]["tabs"][number]["slots"][number];

export type PageEdit =
  | { readonly type: "variant"; readonly variant: string; readonly line: string }
  | { readonly type: "remove"; readonly component: string; readonly variant: string | null; readonly line: string }
  | { readonly type: "add"; readonly component: string; readonly variant: string | null; readonly line: string }
  | { readonly type: "move"; readonly component: string; readonly isFirst: boolean }
  /** Without a component the page itself is renamed. */
  | { readonly type: "rename"; readonly component: string | null; readonly title: string; readonly line: string };

const VARIANTS: readonly (readonly [string, RegExp])[] = [
  ["distribution", /\bhistogram\b|\bdistribution\b|直方|分布/i],
  ["line", /\bline\b|\bcurve\b|折线|线图|线形|曲线/i],
  ["bar", /\bbars?\b|\bcolumn (?:chart|graph)\b|柱|条形/i],
  ["pie", /\bpie\b|\bdonut\b|\bdoughnut\b|饼/i],
  ["radar", /\bradar\b|\bspider\b|雷达/i],
  ["gauge", /\bgauge\b|仪表/i],
];
const COMPONENTS: readonly (readonly [string, RegExp])[] = [
  ["suggestion_list", /\bsuggestions?\b|\badvice\b|\brecommendations?\b|建议/i],
  ["chart", /\bcharts?\b|\bgraphs?\b|\bplots?\b|图/i],
  ["table", /\btables?\b|表(?![现示达明])/i],
  ["kpi_grid", /\bkpis?\b|\bfigures\b|\bcards?\b|\bnumbers\b|指标|卡片|数字/i],
  ["markdown", /\btexts?\b|\bsummary\b|\binsights?\b|\bnarrative\b|\bexplanation\b|文字|总结|说明|解读|文本|段落/i],
];
/** Returns the kind of chart that a request names: `as a pie chart`, 做成折线图. */
export function detectChartVariant(line: string): string | null {
  const [named] =
    /\b(?:pie|donut|doughnut|radar|spider|line|bar|column)s?[ -](?:charts?|graphs?|plots?|diagrams?)\b|\bas an? (?:pie|donut|doughnut|radar)\b|(?:饼|雷达|折线|曲线|柱|条形)状?图/i.exec(
      line,
    ) ?? [];
  return VARIANTS.find(([, words]) => named !== undefined && words.test(named))?.[0] ?? null;
}

const REMOVE =
  /\b(?:remove|delete|drop|hide|discard|get rid of|take (?:out|away)|without|don'?t (?:show|need)|no)\b|去掉|去除|删|移除|隐藏|不要|不需要|拿掉/i;
const ADD =
  /\b(?:add|include|append|insert|also show|plus|another|give (?:me|us))\b|给[我点些出]|来[点些个一]|加[上个一入]?|添|增加|补充|新增|再来|再[给做画]/i;
const CHANGE =
  /\b(?:make|change|turn|switch|convert|use|show|draw|display|as an?|instead|into|prefer|want|rather)\b|改|换|变|用|转|画|显示|做成/i;
const TOP = /\b(?:(?:to|at) the (?:top|front|beginning)|first|up)\b|最?前面?|最上|顶部|开头/i;
const MOVE = /\b(?:move|put|place)\b|移|放到?|挪/i;

const RENAMED: readonly RegExp[] = [
  /\b(?:rename|retitle)\s+(?<what>.*?)\s*\b(?:to|as|into)\s+(?<title>.+)$/i,
  /\b(?:change|set|make)\s+(?<what>(?:the\s+)?(?:.*?\s)?(?:title|name)\b.*?)\s+(?:to|into)\s+(?<title>.+)$/i,
  /\bcall\s+(?:the\s+)?(?<what>page|report|chart|graph|table|text)\s+(?<title>.+)$/i,
  /(?:把|将)?(?<what>[^，,]*?(?:标题|名称|名字))(?:改|换|设|写)?(?:成|为|作|叫)\s*(?<title>.+)$/,
  /(?:把|将)?(?<what>[^，,]*?)(?:重?命名|改名|改称)(?:成|为|作|叫)?\s*(?<title>.+)$/,
];
const MAX_TITLE = 100;
/** Longer lines are not searched for a new name. */
const MAX_RENAME_LINE = 300;

function parseRename(line: string): PageEdit | null {
  if (line.length > MAX_RENAME_LINE) return null;
  const { what = "", title = "" } = RENAMED.map((words) => words.exec(line)?.groups).find(Boolean) ?? {};
  const words = title.replace(/^["“'「《]|["”'」》]?[.!。！]*$/g, "").trim();
  if (words === "" || words.length > MAX_TITLE || /\bcolumn|\bfield|列|字段/i.test(what)) return null;
  const component = COMPONENTS.find(([, named]) => named.test(what))?.[0] ?? null;
  return { type: "rename", component, title: words, line };
}

/** Parses the edit in a line; null if the rules find none. */
export function parseEdit(line: string): PageEdit | null {
  const renamed = parseRename(line);
  if (renamed !== null) return renamed;
  const component = COMPONENTS.find(([, words]) => words.test(line))?.[0] ?? null;
  const variant = VARIANTS.find(([, words]) => words.test(line))?.[0] ?? null;
  const isChart = component === "chart" || (component === null && variant !== null);
  const what = variant !== null && (isChart || component === null) ? "chart" : component;
  if (REMOVE.test(line) && what !== null) return { type: "remove", component: what, variant, line };
  if (MOVE.test(line) && what !== null) return { type: "move", component: what, isFirst: TOP.test(line) };
  if (ADD.test(line) && what !== null) return { type: "add", component: what, variant, line };
  const isBare = variant !== null && line.trim().split(/\s+/).length <= 4 && !/[?？]/.test(line);
  const isDrawn = variant !== "distribution" || component === "chart" || /直方|histogram/i.test(line);
  if (variant !== null && isDrawn && (CHANGE.test(line) || isBare) && component !== "table")
    return { type: "variant", variant, line };
  return null;
}

export type PageOperation = RuleJson & { readonly op: string };

export const listSlots = ({ uiComposition }: EditablePage): EditableSlot[] =>
  uiComposition.tabs.flatMap(({ slots }) => slots);

/** Returns the operations of an edit; null if the page has no matching block or no data for it. */
export function buildOperations(
  page: EditablePage,
  edit: PageEdit,
  language: Language,
): readonly PageOperation[] | null {
  const slots = listSlots(page);
  const alike = "component" in edit ? slots.filter(({ componentType }) => componentType === edit.component) : [];
  switch (edit.type) {
    case "variant": {
      const charts = pickSlots(
        slots.filter(({ componentType }) => componentType === "chart"),
        edit.line,
        "first",
      );
      return emptyToNull(
        charts.map(({ id }) => ({ op: "update_props", slotId: id, props: { variant: edit.variant } })),
      );
    }
    case "remove": {
      const drawn = alike.filter(({ props }) => edit.variant === null || props["variant"] === edit.variant);
      return emptyToNull(pickSlots(drawn, edit.line, "last").map(({ id }) => ({ op: "remove_block", slotId: id })));
    }
    case "move": {
      const ids = alike.map(({ id }) => id);
      const others = slots.map(({ id }) => id).filter((id) => !ids.includes(id));
      return ids.length === 0
        ? null
        : [{ op: "reorder", slotIds: edit.isFirst ? [...ids, ...others] : [...others, ...ids] }];
    }
    case "rename": {
      const named = pickSlots(alike, edit.line, "first");
      return emptyToNull(named.map(({ id }) => ({ op: "update_props", slotId: id, props: { title: edit.title } })));
    }
    case "add":
      // A second list of suggestions would repeat the first.
      if (edit.component === "suggestion_list" && alike.length > 0)
        return [{ op: "recompose", slotIds: alike.map(({ id }) => id) }];
      return emptyToNull(createSlots(page, edit, language).map((slot) => ({ op: "add_block", slot })));
  }
}

const emptyToNull = (operations: readonly PageOperation[]) => (operations.length === 0 ? null : operations);

/** Returns the slots that a line means: all, an ordinal, or the usual one. */
function pickSlots(slots: readonly EditableSlot[], line: string, usual: "first" | "last"): readonly EditableSlot[] {
  if (/\b(?:all|both|every|charts|tables|texts)\b|所有|全部|都/i.test(line)) return slots;
  const order = [/\bfirst\b|第一/i, /\bsecond\b|第二/i, /\bthird\b|第三/i].findIndex((words) => words.test(line));
  if (order >= 0) return slots.slice(order, order + 1);
  return usual === "first" ? slots.slice(0, 1) : slots.slice(-1);
}

type AddedSlot = RuleJson & { readonly id: string; readonly componentType: string };

function createSlots(
  page: EditablePage,
  { component, variant }: Extract<PageEdit, { type: "add" }>,
  language: Language,
): AddedSlot[] {
  const slots = listSlots(page);
  const id = createUniqueId(component === "chart" ? (variant ?? "chart") : component, slots);
  if (component === "suggestion_list" || component === "markdown") {
    const title = component === "markdown" ? "" : pickByLanguage(language, "Suggestions", "建议");
    const instruction = pickByLanguage(language, "Say what stands out.", "说明要点。");
    return [
      { id, componentType: component, aiContentSlot: true, props: { instruction, ...(title === "" ? {} : { title }) } },
    ];
  }
  if (variant === "distribution") return createDistributionSlots(page, id, language);
  const source =
    slots.find(({ componentType }) => componentType === "chart") ??
    slots.find(({ componentType }) => componentType === "table");
  if (component === "kpi_grid") {
    const node = page.computeGraph.nodes.find(
      ({ toolName }) => toolName === "compare_performance" || toolName === "calculate_stats",
    );
    const totals = page.dataContract.bindings.find((one) => one.id === "totals" || one.id === "column");
    const dataBinding =
      node === undefined ? (totals === undefined ? null : `$data.${totals.id}`) : `$compute.${node.outputKey}`;
    return dataBinding === null ? [] : [{ id, componentType: component, dataBinding, props: getLabels(source) }];
  }
  if (source === undefined) return [];
  const { variant: _, headers: __, columns: ___, title = "", ...props } = source.props;
  const bound = typeof source.dataBinding === "string" ? { dataBinding: source.dataBinding } : {};
  const look = component === "chart" ? { variant: variant ?? "bar" } : {};
  const fields =
    component === "chart"
      ? props
      : { ...getLabels(source), ...(props["data"] === undefined ? {} : { data: props["data"] }) };
  return [{ id, componentType: component, ...bound, props: { ...fields, title, ...look } }];
}

function getLabels(slot: EditableSlot | undefined): RuleJson {
  const labels = slot?.props["labels"];
  return labels === undefined ? {} : { labels };
}

/** Creates distribution charts from statistics that the page already computes. */
function createDistributionSlots(page: EditablePage, id: string, language: Language): AddedSlot[] {
  const title = (name: string) => pickByLanguage(language, `Distribution ${name}`, `分布 ${name}`).trim();
  const labels = listSlots(page)
    .map(({ props }) => props["labels"])
    .find((one): one is Record<string, unknown> => typeof one === "object" && one !== null && "group_a" in one);
  return page.computeGraph.nodes.flatMap(({ outputKey, toolName }, n): AddedSlot[] => {
    const chart = (part: string, name: string, i: number): AddedSlot => ({
      id: `${id}_${n + 1}${i}`,
      componentType: "chart",
      dataBinding: `$compute.${outputKey}.${part}`,
      props: { title: title(name), variant: "distribution" },
    });
    if (toolName === "calculate_stats") return [chart("distribution", "", 1)];
    if (toolName !== "compare_performance") return [];
    return ["group_a", "group_b"].map((group, i) =>
      chart(`${group}.distribution`, String(labels?.[group] ?? group), i + 1),
    );
  });
}

export function createUniqueId(base: string, slots: readonly { readonly id: string }[]): string {
  const taken = new Set(slots.map(({ id }) => id));
  for (let i = 1; ; i++) {
    const id = `${base}_${i}`;
    if (![...taken].some((one) => one.startsWith(id))) return id;
  }
}

/** Applies operations to the page. */
export function applyOperations(page: EditablePage, operations: readonly PageOperation[]): EditablePage {
  const tabs = operations.reduce((before, operation) => {
    const { op, slotId, props, slot, slotIds } = operation as PageOperation & {
      readonly slotId?: string;
      readonly props?: RuleJson;
      readonly slot?: EditableSlot;
      readonly slotIds?: readonly string[];
    };
    return before.map((tab, t) => ({
      ...tab,
      slots:
        op === "remove_block"
          ? tab.slots.filter(({ id }) => id !== slotId)
          : op === "update_props"
            ? tab.slots.map((one) => (one.id === slotId ? { ...one, props: { ...one.props, ...props } } : one))
            : op === "add_block" && slot !== undefined && t === 0
              ? [...tab.slots, slot]
              : op === "reorder" && slotIds !== undefined
                ? tab.slots.toSorted((a, b) => slotIds.indexOf(a.id) - slotIds.indexOf(b.id))
                : tab.slots,
    }));
  }, page.uiComposition.tabs);
  return { ...page, uiComposition: { ...page.uiComposition, tabs } };
}
