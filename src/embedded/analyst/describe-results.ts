// Describes results as lines of Markdown. All numbers come from the results, rounded.

import type { Language } from "../../language/detect-language.ts";
import { pick } from "./page-draft.ts";

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isFinite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Formats a number: at most two decimals, three digits if below 1. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "—";
  if (!isFinite(value) || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

/** `names` are the subjects of the text, in its order. */
export function describeResult(value: unknown, names: readonly string[], language: Language): string[] {
  if (!isRecord(value)) return [];
  const { group_a: left, group_b: right } = value;
  if (isRecord(left) && isRecord(right)) return describeComparison(left, right, names, language);
  const { submissions, columns, rows } = value;
  if (Array.isArray(submissions)) return describeScores(value, language);
  if (Array.isArray(columns) && Array.isArray(rows))
    return describeQuery(
      columns.filter(isRecord),
      rows.filter(Array.isArray),
      value["is_truncated"] === true,
      language,
    );
  return isFinite(value["mean"]) ? [`**${names[0] ?? ""}**: ${formatStatistics(value, language)}`] : [];
}

const formatStatistics = (stats: Json, language: Language): string =>
  [
    ["mean", "mean", "平均"],
    ["median", "median", "中位数"],
    ["min", "lowest", "最低"],
    ["max", "highest", "最高"],
    ["count", "values", "数量"],
  ]
    .flatMap(([key = "", en = "", zh = ""]) =>
      isFinite(stats[key]) ? [`${pick(language, en, zh)} ${formatValue(stats[key])}`] : [],
    )
    .join(pick(language, ", ", "，"));

function describeComparison(
  left: Json,
  right: Json,
  [a = "", b = ""]: readonly string[],
  language: Language,
): string[] {
  const lines = [`- **${a}**: ${formatStatistics(left, language)}`, `- **${b}**: ${formatStatistics(right, language)}`];
  const [one, other] = [Number(left["mean"]), Number(right["mean"])];
  const [higher, lower] = one > other ? [a, b] : [b, a];
  const by = formatValue(Math.abs(Number((one - other).toPrecision(12))));
  if (!(Math.abs(one - other) > 0)) return lines;
  const en = `**${higher}** has the higher mean; the difference to ${lower} is ${by}.`;
  return [pick(language, en, `**${higher}**的平均更高，与${lower}相差 ${by}。`), ...lines];
}

type Point = { readonly name: string; readonly value: number };

/** Returns `highest …, lowest …`; equal values are named together. */
function formatEnds(what: string, points: readonly Point[], language: Language): string {
  const ordered = points.toSorted((a, b) => b.value - a.value);
  const format = (value: number | undefined) => {
    const names = ordered.filter((point) => point.value === value).map(({ name }) => name);
    const shown = names.slice(0, 5).join(pick(language, ", ", "、")) + (names.length > 5 ? " …" : "");
    return pick(language, `${shown} (${formatValue(value)})`, `${shown}（${formatValue(value)}）`);
  };
  const [top, bottom] = [format(ordered[0]?.value), format(ordered.at(-1)?.value)];
  return pick(language, `${what}: highest ${top}, lowest ${bottom}.`, `${what}：最高 ${top}，最低 ${bottom}。`);
}

function describeScores({ submissions, class_name: room, title }: Json, language: Language): string[] {
  const rows = (submissions as readonly unknown[])
    .filter(isRecord)
    .map(({ name, score }) => ({ name: String(name), value: score }));
  const scores = rows.filter((row): row is Point => isFinite(row.value));
  const absent = rows.flatMap(({ name, value }) => (value === null ? [name] : []));
  const where = [room, title].filter((part) => typeof part === "string").join(", ");
  const missing = pick(language, `Not handed in: ${absent.join(", ")}.`, `未提交：${absent.join("、")}。`);
  return [
    ...(scores.length === 0 ? [] : [formatEnds(where, scores, language)]),
    ...(absent.length === 0 ? [] : [missing]),
  ];
}

/** Describes each column of numbers; the first column names the rows. */
function describeQuery(
  columns: readonly Json[],
  rows: readonly unknown[][],
  isCut: boolean,
  language: Language,
): string[] {
  const [first] = rows;
  if (first === undefined) return [pick(language, "There are no rows.", "没有数据。")];
  if (rows.length === 1)
    return [columns.map(({ name }, i) => `${String(name)} ${formatValue(first[i])}`).join(pick(language, ", ", "，"))];
  // If rows are cut off, the ends are unknown.
  if (isCut)
    return [pick(language, "The table shows the first rows; there are more.", "表格显示前几行，还有更多数据。")];
  return columns.flatMap(({ name, type }, i) => {
    const texts = (row: readonly unknown[]) =>
      columns.flatMap((column, at) => (at === 0 || column["type"] === "text" ? [formatValue(row[at])] : []));
    const points = rows.flatMap((row) => (isFinite(row[i]) ? [{ name: texts(row).join(" · "), value: row[i] }] : []));
    const isNumber = i > 0 && (type === "integer" || type === "number");
    return isNumber && points.length > 0 ? [formatEnds(String(name), points, language)] : [];
  });
}

/** Joins lines to Markdown: list items stay together, other lines are paragraphs. */
export const joinParagraphs = (lines: readonly string[]): string =>
  lines
    .reduce((text, line) => `${text}${line.startsWith("- ") && /(?:^|\n)- .*$/.test(text) ? "\n" : "\n\n"}${line}`, "")
    .trim();
