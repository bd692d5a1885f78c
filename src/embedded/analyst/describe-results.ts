// Describes results as lines of Markdown. All numbers come from the results, rounded.

import type { Language } from "../../language/detect-language.ts";
import { pickByLanguage } from "./blueprint-parts.ts";

type ResultRow = Readonly<Record<string, unknown>>;
const isResultRow = (value: unknown): value is ResultRow =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listResultRows = (value: unknown): ResultRow[] => (Array.isArray(value) ? value.filter(isResultRow) : []);
export const isFiniteNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** `names` are the subjects of the text, in its order. */
export function describeResult(value: unknown, names: readonly string[], language: Language): string[] {
  if (!isResultRow(value)) return [];
  if (isResultRow(value["group_a"]) && isResultRow(value["group_b"])) return describeComparison(value, names, language);
  if (Array.isArray(value["submissions"])) return describeSubmissions(value, language);
  if (Array.isArray(value["grades"])) return describeGrades(value, language);
  if (Array.isArray(value["columns"]) && Array.isArray(value["rows"])) return describeQuery(value, language);
  if (isFiniteNumber(value["r"])) return describeCorrelation(value["r"], names, language);
  if (isFiniteNumber(value["mean"]))
    return [...describeStatistics(value, names[0], language), ...describeFullestBand(value, language)];
  return [];
}

/** Minimum |r| of a strong correlation, and of any correlation. */
const [STRONG, WEAK] = [0.7, 0.3];

function describeCorrelation(r: number, names: readonly string[], language: Language): string[] {
  const [a = "x", b = "y"] = names;
  const size = Math.abs(r);
  const how =
    size < WEAK
      ? pickByLanguage(language, "hardly go together", "几乎没有线性关系")
      : r > 0
        ? pickByLanguage(language, "rise and fall together", "同升同降")
        : pickByLanguage(language, "go opposite ways", "此升彼降");
  const strength = size >= STRONG ? pickByLanguage(language, " strongly", "，关系较强") : "";
  return [
    pickByLanguage(
      language,
      `**${a}** and **${b}** ${how}${strength}: r = ${formatValue(r)}. That does not say that one is the cause of the other.`,
      `**${a}**与**${b}**${how}${strength}：r = ${formatValue(r)}。相关不等于因果。`,
    ),
  ];
}

const WORDS: readonly (readonly [string, string, string])[] = [
  ["mean", "mean", "平均"],
  ["median", "median", "中位数"],
  ["min", "lowest", "最低"],
  ["max", "highest", "最高"],
  ["count", "values", "数量"],
];

function formatStatistics(stats: ResultRow, language: Language): string {
  return WORDS.flatMap(([name, en, zh]) =>
    isFiniteNumber(stats[name]) ? [`${pickByLanguage(language, en, zh)} ${formatValue(stats[name])}`] : [],
  ).join(pickByLanguage(language, ", ", "，"));
}

function describeStatistics(stats: ResultRow, known: string | undefined, language: Language): string[] {
  const called = typeof stats["name"] === "string" ? stats["name"] : known;
  const name = called === undefined ? "" : `**${called}**${pickByLanguage(language, ": ", "：")}`;
  const gaps = stats["gaps"];
  const missing =
    isFiniteNumber(gaps) && gaps > 0
      ? [pickByLanguage(language, `${gaps} values are missing.`, `缺失 ${gaps} 个值。`)]
      : [];
  return [`${name}${formatStatistics(stats, language)}${pickByLanguage(language, ".", "。")}`, ...missing];
}

function describeFullestBand(stats: ResultRow, language: Language): string[] {
  const { distribution } = stats;
  if (!isResultRow(distribution) || !Array.isArray(distribution["counts"]) || !Array.isArray(distribution["labels"]))
    return [];
  const counts = (distribution["counts"] as unknown[]).filter(isFiniteNumber);
  const most = Math.max(...counts);
  const label: unknown = (distribution["labels"] as unknown[])[counts.indexOf(most)];
  // With a tie there is no fullest band.
  if (counts.filter((count) => count === most).length !== 1 || typeof label !== "string") return [];
  return [
    pickByLanguage(
      language,
      `The band of ${label.replace("-", " to ")} holds the most: ${most}.`,
      `最多的是 ${label} 分段：${most} 人。`,
    ),
  ];
}

function describeComparison(value: ResultRow, names: readonly string[], language: Language): string[] {
  const [
    a = pickByLanguage(language, "the first group", "第一组"),
    b = pickByLanguage(language, "the second group", "第二组"),
  ] = names;
  const [left, right] = [value["group_a"], value["group_b"]] as [ResultRow, ResultRow];
  const by = isResultRow(value["difference"]) ? value["difference"]["mean"] : undefined;
  const lines = [`- **${a}**: ${formatStatistics(left, language)}`, `- **${b}**: ${formatStatistics(right, language)}`];
  if (!isFiniteNumber(by)) return lines;
  const [higher, lower] = by > 0 ? [a, b] : [b, a];
  const verdict =
    by === 0
      ? pickByLanguage(language, `The means of ${a} and ${b} are the same.`, `${a}与${b}的平均分相同。`)
      : pickByLanguage(
          language,
          `**${higher}** has the higher mean; the difference to ${lower} is ${formatValue(Math.abs(by))}.`,
          `**${higher}**的平均更高，与${lower}相差 ${formatValue(Math.abs(by))}。`,
        );
  const [wide, narrow] = [left["stddev"], right["stddev"]];
  const spread =
    isFiniteNumber(wide) && isFiniteNumber(narrow) && wide !== narrow
      ? [
          pickByLanguage(
            language,
            `The scores of ${wide > narrow ? a : b} lie further apart.`,
            `${wide > narrow ? a : b}的分数差距更大。`,
          ),
        ]
      : [];
  return [verdict, "", ...lines, "", ...spread];
}

function describeSubmissions(value: ResultRow, language: Language): string[] {
  const all = listResultRows(value["submissions"]);
  const known = all
    .filter(({ score }) => isFiniteNumber(score))
    .toSorted((a, b) => Number(b["score"]) - Number(a["score"]));
  const [best, worst] = [known[0], known.at(-1)];
  const where = [value["class_name"], value["title"]]
    .filter((one) => typeof one === "string")
    .join(pickByLanguage(language, ", ", "，"));
  const absent = all.filter(({ score }) => score === null).map(getStudentName);
  if (best === undefined || worst === undefined) return [];
  const called = ({ score }: ResultRow) =>
    joinTiedNames(known.filter((one) => one["score"] === score).map(getStudentName), language);
  return [
    pickByLanguage(
      language,
      `${where}: highest ${called(best)} (${String(best["score"])}), lowest ${called(worst)} (${String(worst["score"])}).`,
      `${where}：最高 ${called(best)}（${String(best["score"])}），最低 ${called(worst)}（${String(worst["score"])}）。`,
    ),
    ...(absent.length === 0
      ? []
      : [pickByLanguage(language, `Not handed in: ${absent.join(", ")}.`, `未提交：${absent.join("、")}。`)]),
  ];
}

const MAX_TIED_NAMES = 5;

/** Joins the names that share a rank. */
function joinTiedNames(names: readonly string[], language: Language): string {
  const shown = names.slice(0, MAX_TIED_NAMES).join(pickByLanguage(language, ", ", "、"));
  return names.length > MAX_TIED_NAMES ? `${shown} …` : shown;
}

/** Ranks all students. */
export function rankStudents(value: unknown, isLowest: boolean): string[] {
  const known = listResultRows(isResultRow(value) ? value["submissions"] : null).filter(({ score }) =>
    isFiniteNumber(score),
  );
  const sign = isLowest ? -1 : 1;
  return known
    .toSorted((a, b) => sign * (Number(b["score"]) - Number(a["score"])))
    .map((row, i) => `${i + 1}. ${getStudentName(row)}: ${String(row["score"])}`);
}

const getStudentName = (row: ResultRow): string =>
  String(row["name"] ?? row["student_name"] ?? row["student_id"] ?? "—");

function describeGrades(value: ResultRow, language: Language): string[] {
  const grades = listResultRows(value["grades"]);
  const of = typeof value["name"] === "string" ? `**${value["name"]}**` : "";
  return [
    of,
    "",
    ...grades.map(({ title, score, max_score }) => {
      const full = isFiniteNumber(max_score) ? pickByLanguage(language, ` of ${max_score}`, ` / ${max_score}`) : "";
      if (!isFiniteNumber(score)) return `- ${String(title)}: ${pickByLanguage(language, "not handed in", "未提交")}`;
      return `- ${String(title)}: ${String(score)}${full}`;
    }),
  ];
}

/** Describes rows of a query: along time from first to last, otherwise highest and lowest. */
function describeQuery(value: ResultRow, language: Language): string[] {
  const columns = listResultRows(value["columns"]).map((column) => ({
    name: String(column["name"]),
    type: String(column["type"]),
  }));
  const rows = (value["rows"] as unknown[]).filter((row): row is unknown[] => Array.isArray(row));
  if (rows.length === 0) return [pickByLanguage(language, "There are no rows.", "没有数据。")];
  const y = columns.findLastIndex(({ type }) => type === "integer" || type === "number");
  if (y < 0) return [];
  const [only] = rows;
  if (rows.length === 1 && only !== undefined)
    return [columns.map(({ name }, i) => `${name} ${formatValue(only[i])}`).join(pickByLanguage(language, ", ", "，"))];
  const x = columns.findIndex((_, i) => i !== y);
  const known = rows.filter((row) => isFiniteNumber(row[y]) && (row[x] ?? null) !== null);
  const isCut = value["is_truncated"] === true || rows.length < (value["rows"] as unknown[]).length;
  const ordered = known.toSorted((a, b) => Number(b[y]) - Number(a[y]));
  const [top, end, first, last] = [ordered[0], ordered.at(-1), known[0], known.at(-1)];
  if (top === undefined || end === undefined || first === undefined || last === undefined) return [];
  const label = (row: readonly unknown[]) =>
    columns
      .flatMap(({ type }, i) => (i !== y && (i === x || type === "text") ? [formatValue(row[i])] : []))
      .join(" · ");
  const name = columns[y]?.name ?? "";
  // If rows are cut off, the other end is unknown.
  if (isCut)
    return [
      pickByLanguage(
        language,
        `${name}: first ${label(first)} (${formatValue(first[y])}). There are more rows.`,
        `${name}：首位 ${label(first)}（${formatValue(first[y])}）。还有更多数据。`,
      ),
    ];
  if (known.length > 1 && top[y] === end[y])
    return [
      pickByLanguage(
        language,
        `${name}: the same for all ${known.length} (${formatValue(top[y])}).`,
        `${name}：${known.length} 项都相同（${formatValue(top[y])}）。`,
      ),
    ];
  const called = (one: readonly unknown[]) =>
    joinTiedNames(
      known.filter((row) => row[y] === one[y]).map((row) => label(row)),
      language,
    );
  const ends = pickByLanguage(
    language,
    `${name}: highest ${called(top)} (${formatValue(top[y])}), lowest ${called(end)} (${formatValue(end[y])}).`,
    `${name}：最高 ${called(top)}（${formatValue(top[y])}），最低 ${called(end)}（${formatValue(end[y])}）。`,
  );
  const isTime = columns.length === 2 && /^\d{4}(?:-\d{2}|-Q\d|$)/.test(formatValue(first[x]));
  if (!isTime) return [ends];
  return [
    pickByLanguage(
      language,
      `From ${label(first)} (${formatValue(first[y])}) to ${label(last)} (${formatValue(last[y])}).`,
      `从 ${label(first)}（${formatValue(first[y])}）到 ${label(last)}（${formatValue(last[y])}）。`,
    ),
    ends,
  ];
}

/** Formats a number: at most two decimals, three digits if below 1. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "—";
  if (!isFiniteNumber(value) || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

/** Joins lines to Markdown: list items stay together, other lines are paragraphs. */
export function joinParagraphs(lines: readonly string[]): string {
  const isItem = (line: string | undefined) => line !== undefined && /^(?:- |\d+\. )/.test(line);
  const said = lines.filter((line) => line !== "");
  return said
    .map((line, i) => (i === 0 ? line : `${isItem(line) && isItem(said[i - 1]) ? "\n" : "\n\n"}${line}`))
    .join("");
}

export type DerivedSuggestion = {
  readonly title: string;
  readonly description: string;
  readonly priority: "high" | "medium" | "low";
};

/** Students below this share of the full score need help. */
const MIN_PASSING_SHARE = 0.6;

/** Derives suggestions from the results alone. */
export function deriveSuggestions(values: readonly unknown[], language: Language): DerivedSuggestion[] {
  return values.filter(isResultRow).flatMap((value): DerivedSuggestion[] => {
    const { submissions, max_score: full, title } = value;
    if (Array.isArray(submissions)) {
      const all = listResultRows(submissions);
      const weak = all.filter(
        ({ score }) =>
          isFiniteNumber(score) && score / (isFiniteNumber(full) && full > 0 ? full : 100) < MIN_PASSING_SHARE,
      );
      const absent = all.filter(({ score }) => score === null);
      const names = (rows: readonly ResultRow[]) => rows.map(getStudentName).join(pickByLanguage(language, ", ", "、"));
      const list = weak
        .map((row) => `${getStudentName(row)} ${String(row["score"])}`)
        .join(pickByLanguage(language, ", ", "、"));
      const review = {
        title: pickByLanguage(
          language,
          `Go over "${String(title)}" again with ${names(weak)}`,
          `与${names(weak)}复习《${String(title)}》`,
        ),
        description: list,
        priority: "high" as const,
      };
      const ask = {
        title: pickByLanguage(language, `Ask ${names(absent)} for what was not handed in`, `提醒${names(absent)}补交`),
        description: String(title),
        priority: "medium" as const,
      };
      return [...(weak.length === 0 ? [] : [review]), ...(absent.length === 0 ? [] : [ask])];
    }
    if (!Array.isArray(value["columns"])) return [];
    const [line] = describeQuery(value, language).slice(-1);
    if (line === undefined || (value["rows"] as unknown[]).length < 2) return [];
    return [
      {
        title: pickByLanguage(language, "Look into what sets the ends apart", "看看两端差异的来源"),
        description: line,
        priority: "medium",
      },
    ];
  });
}
