// Answers which row of a page is highest or lowest, from its tables and charts.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { buildNamePattern, findMentions, type Subject } from "./analysis-data.ts";
import { blankAll, findUnreadWords } from "./analysis-words.ts";
import { formatValue, isFinite } from "./describe-results.ts";
import { pick } from "./page-draft.ts";

const blockSchema = z.object({
  type: z.string(),
  variant: z.string().catch(""),
  headers: z.array(z.string()).catch([]),
  rows: z.array(z.array(z.unknown())).catch([]),
  xAxis: z.array(z.unknown()).catch([]),
  series: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })).catch([]),
});
const pageSchema = z.object({ tabs: z.array(z.object({ blocks: z.array(blockSchema) })) });

const MEAN = /\b(?:mean|average)\b|平均[分值数]?|均[分值]/gi;
const MOST = /\b(?:best|better|highest|most|largest|top|ahead|higher)\b|最[高好大多]|[更较][好高]|第一/gi;
const LEAST = /\b(?:worst|worse|lowest|least|smallest|bottom|behind|lower)\b|最[低差小少]|[更较][低差]|倒数/gi;
const CLASS = /\bclass(?:es)?\b|班级?/gi;

/** The rows of a table or chart; the first cell of a row names it. */
type ShownGrid = { readonly headers: readonly string[]; readonly rows: readonly (readonly unknown[])[] };

function listGrids(page: unknown): ShownGrid[] {
  const blocks = pageSchema.safeParse(page).data?.tabs.flatMap((tab) => tab.blocks) ?? [];
  return blocks.flatMap(({ type, variant, headers, rows, xAxis, series }): ShownGrid[] => {
    if (type === "table") return [{ headers, rows }];
    if (type !== "chart" || variant === "distribution") return [];
    const values = xAxis.map((x, i) => [x, ...series.map(({ data }) => data[i])]);
    return [{ headers: ["", ...series.map(({ name }) => name)], rows: values }];
  });
}

/** Returns null if the question asks for anything else, or has a word that the page does not show. */
export function answerPageQuestion(page: unknown, said: string, language: Language): string | null {
  const question = normalizeCharacters(said);
  const isLeast = question.search(LEAST) >= 0;
  if (!isLeast && question.search(MOST) < 0) return null;
  const grids = listGrids(page).filter(({ headers }) => isAbout(headers, question));
  for (const grid of grids) {
    const answer = describeExtreme(grid, isLeast, language);
    if (answer !== null) return answer;
  }
  return null;
}

/** True if each word of the question is in the headers or asks for an extreme. */
function isAbout(headers: readonly string[], question: string): boolean {
  const names = headers.flatMap((header) => [header, ...header.split(" ")]).filter((name) => name.length > 1);
  const subjects = names.map((name): Subject => ({ type: "label", name, pattern: buildNamePattern(name) }));
  const { rest } = findMentions(question, subjects);
  return findUnreadWords([MEAN, MOST, LEAST, CLASS].reduce(blankAll, rest)).length === 0;
}

function describeExtreme({ headers, rows }: ShownGrid, isLeast: boolean, language: Language): string | null {
  // A comparison of two classes has a row for each figure; other grids answer only if they have one column of numbers.
  const row = headers.length > 2 ? rows.find(([first]) => String(first).search(MEAN) >= 0) : undefined;
  if (row === undefined && headers.length !== 2) return null;
  const all =
    row === undefined
      ? rows.map(([name, value]) => ({ name: String(name), value }))
      : headers.slice(1, 3).map((name, i) => ({ name, value: row[i + 1] }));
  const ordered = all
    .flatMap(({ name, value }) => (isFinite(value) ? [{ name, value }] : []))
    .toSorted((a, b) => (isLeast ? a.value - b.value : b.value - a.value));
  const [first, second] = ordered;
  if (first === undefined || second === undefined) return null;
  const shown = `${row === undefined ? (headers[1] ?? "") : String(row[0])} ${formatValue(first.value)}`;
  if (first.value === second.value) {
    const names = ordered.filter(({ value }) => value === first.value).map(({ name }) => name);
    return pick(language, `${names.join(", ")} are level: ${shown}.`, `${names.join("、")}持平：${shown}。`);
  }
  const [en, zh] = isLeast ? ["behind", "靠后"] : ["ahead", "领先"];
  const next = formatValue(second.value);
  return pick(
    language,
    `**${first.name}** is ${en}: ${shown}; next is ${second.name} with ${next}.`,
    `**${first.name}**${zh}：${shown}；其次是${second.name}，${next}。`,
  );
}
