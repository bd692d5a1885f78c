// Describes results and charts in Markdown. All numbers come from them, rounded.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { pick } from "./page-draft.ts";

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isFinite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Formats a number: at most two decimals, three digits if below 1. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "—";
  if (!isFinite(value) || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

/** `names` are the subjects of the text, in its order. */
export function describeResult(value: unknown, names: readonly string[], language: Language): string {
  if (!isRecord(value)) return "";
  const { group_a: left, group_b: right } = value;
  if (isRecord(left) && isRecord(right)) return describeComparison(left, right, names, language);
  return isFinite(value["mean"]) ? `**${names[0] ?? ""}**: ${formatStatistics(value, language)}` : "";
}

const STATISTICS = [
  ["mean", "mean", "平均"],
  ["median", "median", "中位数"],
  ["min", "lowest", "最低"],
  ["max", "highest", "最高"],
] as const;

const formatStatistics = (stats: Json, language: Language): string =>
  STATISTICS.filter(([key]) => isFinite(stats[key]))
    .map(([key, en, zh]) => `${pick(language, en, zh)} ${formatValue(stats[key])}`)
    .join(pick(language, ", ", "，"));

function describeComparison(left: Json, right: Json, [a = "", b = ""]: readonly string[], language: Language): string {
  const lines = `- **${a}**: ${formatStatistics(left, language)}\n- **${b}**: ${formatStatistics(right, language)}`;
  const [one, other] = [Number(left["mean"]), Number(right["mean"])];
  const [higher, lower] = one > other ? [a, b] : [b, a];
  const by = formatValue(Math.abs(Number((one - other).toPrecision(12))));
  if (!(Math.abs(one - other) > 0)) return lines;
  const en = `**${higher}** has the higher mean; the difference to ${lower} is ${by}.`;
  return `${pick(language, en, `**${higher}**的平均更高，与${lower}相差 ${by}。`)}\n\n${lines}`;
}

const chartSchema = z.object({
  type: z.literal("chart"),
  xAxis: z.array(z.unknown()),
  series: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })),
});
const pageSchema = z.object({ tabs: z.array(z.object({ blocks: z.array(z.unknown()) })) });
const MAX_POINTS = 20;

/** Describes the first chart of a page, one line per point; empty if it has none. */
export function describeChart(page: unknown): string[] {
  const blocks = pageSchema.safeParse(page).data?.tabs.flatMap((tab) => tab.blocks) ?? [];
  const { xAxis = [], series = [] } = blocks.flatMap((block) => chartSchema.safeParse(block).data ?? [])[0] ?? {};
  return xAxis
    .slice(0, MAX_POINTS)
    .map(
      (x, i) => `- **${String(x)}**: ${series.map(({ name, data }) => `${name} ${formatValue(data[i])}`).join(", ")}`,
    );
}
