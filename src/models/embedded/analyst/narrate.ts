// Describes results as lines of Markdown. All numbers come from the results, rounded.

import type { Language } from "../../../protocol/words/language.ts";
import { say } from "./draft.ts";

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : []);
export const isFigure = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** `names` are the subjects of the text, in its order. */
export function narrated(value: unknown, names: readonly string[], language: Language): string[] {
  if (!isRow(value)) return [];
  if (isRow(value["group_a"]) && isRow(value["group_b"])) return compared(value, names, language);
  if (Array.isArray(value["submissions"])) return submitted(value, language);
  if (Array.isArray(value["grades"])) return graded(value, language);
  if (Array.isArray(value["columns"]) && Array.isArray(value["rows"])) return ofQuery(value, language);
  if (isFigure(value["r"])) return together(value["r"], names, language);
  if (isFigure(value["mean"])) return [...counted(value, names[0], language), ...banded(value, language)];
  return [];
}

/** Minimum |r| of a strong correlation, and of any correlation. */
const [STRONG, WEAK] = [0.7, 0.3];

function together(r: number, names: readonly string[], language: Language): string[] {
  const [a = "x", b = "y"] = names;
  const size = Math.abs(r);
  const how =
    size < WEAK
      ? say(language, "hardly go together", "几乎没有线性关系")
      : r > 0
        ? say(language, "rise and fall together", "同升同降")
        : say(language, "go opposite ways", "此升彼降");
  const strength = size >= STRONG ? say(language, " strongly", "，关系较强") : "";
  return [
    say(
      language,
      `**${a}** and **${b}** ${how}${strength}: r = ${shownAs(r)}. That does not say that one is the cause of the other.`,
      `**${a}**与**${b}**${how}${strength}：r = ${shownAs(r)}。相关不等于因果。`,
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

function figures(stats: Row, language: Language): string {
  return WORDS.flatMap(([name, en, zh]) =>
    isFigure(stats[name]) ? [`${say(language, en, zh)} ${shownAs(stats[name])}`] : [],
  ).join(say(language, ", ", "，"));
}

function counted(stats: Row, known: string | undefined, language: Language): string[] {
  const called = typeof stats["name"] === "string" ? stats["name"] : known;
  const name = called === undefined ? "" : `**${called}**${say(language, ": ", "：")}`;
  const gaps = stats["gaps"];
  const missing =
    isFigure(gaps) && gaps > 0 ? [say(language, `${gaps} values are missing.`, `缺失 ${gaps} 个值。`)] : [];
  return [`${name}${figures(stats, language)}${say(language, ".", "。")}`, ...missing];
}

function banded(stats: Row, language: Language): string[] {
  const { distribution } = stats;
  if (!isRow(distribution) || !Array.isArray(distribution["counts"]) || !Array.isArray(distribution["labels"]))
    return [];
  const counts = (distribution["counts"] as unknown[]).filter(isFigure);
  const most = Math.max(...counts);
  const label: unknown = (distribution["labels"] as unknown[])[counts.indexOf(most)];
  // With a tie there is no fullest band.
  if (counts.filter((count) => count === most).length !== 1 || typeof label !== "string") return [];
  return [
    say(
      language,
      `The band of ${label.replace("-", " to ")} holds the most: ${most}.`,
      `最多的是 ${label} 分段：${most} 人。`,
    ),
  ];
}

function compared(value: Row, names: readonly string[], language: Language): string[] {
  const [a = say(language, "the first group", "第一组"), b = say(language, "the second group", "第二组")] = names;
  const [left, right] = [value["group_a"], value["group_b"]] as [Row, Row];
  const by = isRow(value["difference"]) ? value["difference"]["mean"] : undefined;
  const lines = [`- **${a}**: ${figures(left, language)}`, `- **${b}**: ${figures(right, language)}`];
  if (!isFigure(by)) return lines;
  const [higher, lower] = by > 0 ? [a, b] : [b, a];
  const verdict =
    by === 0
      ? say(language, `The means of ${a} and ${b} are the same.`, `${a}与${b}的平均分相同。`)
      : say(
          language,
          `**${higher}** has the higher mean; the difference to ${lower} is ${shownAs(Math.abs(by))}.`,
          `**${higher}**的平均更高，与${lower}相差 ${shownAs(Math.abs(by))}。`,
        );
  const [wide, narrow] = [left["stddev"], right["stddev"]];
  const spread =
    isFigure(wide) && isFigure(narrow) && wide !== narrow
      ? [
          say(
            language,
            `The scores of ${wide > narrow ? a : b} lie further apart.`,
            `${wide > narrow ? a : b}的分数差距更大。`,
          ),
        ]
      : [];
  return [verdict, "", ...lines, "", ...spread];
}

function submitted(value: Row, language: Language): string[] {
  const all = rowsIn(value["submissions"]);
  const known = all.filter(({ score }) => isFigure(score)).toSorted((a, b) => Number(b["score"]) - Number(a["score"]));
  const [best, worst] = [known[0], known.at(-1)];
  const where = [value["class_name"], value["title"]]
    .filter((one) => typeof one === "string")
    .join(say(language, ", ", "，"));
  const absent = all.filter(({ score }) => score === null).map(nameOf);
  if (best === undefined || worst === undefined) return [];
  const called = ({ score }: Row) => equals(known.filter((one) => one["score"] === score).map(nameOf), language);
  return [
    say(
      language,
      `${where}: highest ${called(best)} (${String(best["score"])}), lowest ${called(worst)} (${String(worst["score"])}).`,
      `${where}：最高 ${called(best)}（${String(best["score"])}），最低 ${called(worst)}（${String(worst["score"])}）。`,
    ),
    ...(absent.length === 0
      ? []
      : [say(language, `Not handed in: ${absent.join(", ")}.`, `未提交：${absent.join("、")}。`)]),
  ];
}

const MOST_EQUALS = 5;

/** Joins the names that share a rank. */
function equals(names: readonly string[], language: Language): string {
  const shown = names.slice(0, MOST_EQUALS).join(say(language, ", ", "、"));
  return names.length > MOST_EQUALS ? `${shown} …` : shown;
}

/** Ranks all students. */
export function ranked(value: unknown, isLowest: boolean): string[] {
  const known = rowsIn(isRow(value) ? value["submissions"] : null).filter(({ score }) => isFigure(score));
  const sign = isLowest ? -1 : 1;
  return known
    .toSorted((a, b) => sign * (Number(b["score"]) - Number(a["score"])))
    .map((row, i) => `${i + 1}. ${nameOf(row)}: ${String(row["score"])}`);
}

const nameOf = (row: Row): string => String(row["name"] ?? row["student_name"] ?? row["student_id"] ?? "—");

function graded(value: Row, language: Language): string[] {
  const grades = rowsIn(value["grades"]);
  const of = typeof value["name"] === "string" ? `**${value["name"]}**` : "";
  return [
    of,
    "",
    ...grades.map(({ title, score, max_score }) => {
      const full = isFigure(max_score) ? say(language, ` of ${max_score}`, ` / ${max_score}`) : "";
      if (!isFigure(score)) return `- ${String(title)}: ${say(language, "not handed in", "未提交")}`;
      return `- ${String(title)}: ${String(score)}${full}`;
    }),
  ];
}

/** Describes rows of a query: along time from first to last, otherwise highest and lowest. */
function ofQuery(value: Row, language: Language): string[] {
  const columns = rowsIn(value["columns"]).map((column) => ({
    name: String(column["name"]),
    type: String(column["type"]),
  }));
  const rows = (value["rows"] as unknown[]).filter((row): row is unknown[] => Array.isArray(row));
  if (rows.length === 0) return [say(language, "There are no rows.", "没有数据。")];
  const y = columns.findLastIndex(({ type }) => type === "integer" || type === "number");
  if (y < 0) return [];
  const [only] = rows;
  if (rows.length === 1 && only !== undefined)
    return [columns.map(({ name }, i) => `${name} ${shownAs(only[i])}`).join(say(language, ", ", "，"))];
  const x = columns.findIndex((_, i) => i !== y);
  const known = rows.filter((row) => isFigure(row[y]) && (row[x] ?? null) !== null);
  const isCut = value["is_truncated"] === true || rows.length < (value["rows"] as unknown[]).length;
  const ordered = known.toSorted((a, b) => Number(b[y]) - Number(a[y]));
  const [top, end, first, last] = [ordered[0], ordered.at(-1), known[0], known.at(-1)];
  if (top === undefined || end === undefined || first === undefined || last === undefined) return [];
  const label = (row: readonly unknown[]) =>
    columns.flatMap(({ type }, i) => (i !== y && (i === x || type === "text") ? [shownAs(row[i])] : [])).join(" · ");
  const name = columns[y]?.name ?? "";
  // If rows are cut off, the other end is unknown.
  if (isCut)
    return [
      say(
        language,
        `${name}: first ${label(first)} (${shownAs(first[y])}). There are more rows.`,
        `${name}：首位 ${label(first)}（${shownAs(first[y])}）。还有更多数据。`,
      ),
    ];
  if (known.length > 1 && top[y] === end[y])
    return [
      say(
        language,
        `${name}: the same for all ${known.length} (${shownAs(top[y])}).`,
        `${name}：${known.length} 项都相同（${shownAs(top[y])}）。`,
      ),
    ];
  const called = (one: readonly unknown[]) =>
    equals(
      known.filter((row) => row[y] === one[y]).map((row) => label(row)),
      language,
    );
  const ends = say(
    language,
    `${name}: highest ${called(top)} (${shownAs(top[y])}), lowest ${called(end)} (${shownAs(end[y])}).`,
    `${name}：最高 ${called(top)}（${shownAs(top[y])}），最低 ${called(end)}（${shownAs(end[y])}）。`,
  );
  const isTime = columns.length === 2 && /^\d{4}(?:-\d{2}|-Q\d|$)/.test(shownAs(first[x]));
  if (!isTime) return [ends];
  return [
    say(
      language,
      `From ${label(first)} (${shownAs(first[y])}) to ${label(last)} (${shownAs(last[y])}).`,
      `从 ${label(first)}（${shownAs(first[y])}）到 ${label(last)}（${shownAs(last[y])}）。`,
    ),
    ends,
  ];
}

/** Formats a number: at most two decimals, three digits if below 1. */
export function shownAs(value: unknown): string {
  if (value === null || value === undefined) return "—";
  if (!isFigure(value) || Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(2)));
}

/** Joins lines to Markdown: list items stay together, other lines are paragraphs. */
export function paragraphs(lines: readonly string[]): string {
  const isItem = (line: string | undefined) => line !== undefined && /^(?:- |\d+\. )/.test(line);
  const said = lines.filter((line) => line !== "");
  return said
    .map((line, i) => (i === 0 ? line : `${isItem(line) && isItem(said[i - 1]) ? "\n" : "\n\n"}${line}`))
    .join("");
}

export type Suggestion = {
  readonly title: string;
  readonly description: string;
  readonly priority: "high" | "medium" | "low";
};

/** Students below this share of the full score need help. */
const FAILED = 0.6;

/** Derives suggestions from the results alone. */
export function suggested(values: readonly unknown[], language: Language): Suggestion[] {
  return values.filter(isRow).flatMap((value): Suggestion[] => {
    const { submissions, max_score: full, title } = value;
    if (Array.isArray(submissions)) {
      const all = rowsIn(submissions);
      const weak = all.filter(
        ({ score }) => isFigure(score) && score / (isFigure(full) && full > 0 ? full : 100) < FAILED,
      );
      const absent = all.filter(({ score }) => score === null);
      const names = (rows: readonly Row[]) => rows.map(nameOf).join(say(language, ", ", "、"));
      const list = weak.map((row) => `${nameOf(row)} ${String(row["score"])}`).join(say(language, ", ", "、"));
      const review = {
        title: say(
          language,
          `Go over "${String(title)}" again with ${names(weak)}`,
          `与${names(weak)}复习《${String(title)}》`,
        ),
        description: list,
        priority: "high" as const,
      };
      const ask = {
        title: say(language, `Ask ${names(absent)} for what was not handed in`, `提醒${names(absent)}补交`),
        description: String(title),
        priority: "medium" as const,
      };
      return [...(weak.length === 0 ? [] : [review]), ...(absent.length === 0 ? [] : [ask])];
    }
    if (!Array.isArray(value["columns"])) return [];
    const [line] = ofQuery(value, language).slice(-1);
    if (line === undefined || (value["rows"] as unknown[]).length < 2) return [];
    return [
      {
        title: say(language, "Look into what sets the ends apart", "看看两端差异的来源"),
        description: line,
        priority: "medium",
      },
    ];
  });
}
