// Answers questions about a page from its tables and charts. Returns null if a word of the question is not about them.

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
  rows: z.array(z.array(z.unknown()).catch([])).catch([]),
  xAxis: z.array(z.unknown()).catch([]),
  series: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })).catch([]),
});
const pageSchema = z.object({ tabs: z.array(z.object({ blocks: z.array(blockSchema) })) });

const METRICS: readonly RegExp[] = [
  /\b(?:mean|average)\b|平均[分值数]?|均[分值]/gi,
  /\bmedian\b|中位数?/gi,
  /\b(?:std\.? ?dev|standard deviation|stddev)\b|标准差/gi,
  /\b(?:counts?|how many)\b|数量|多少[人个条]|人数/gi,
];
const MOST = /\b(?:best|better|highest|most|largest|top|leads?|ahead|higher)\b|最[高好大多]|[更较][好高]|领先|第一/gi;
const LEAST = /\b(?:worst|worse|lowest|least|smallest|bottom|behind|lower)\b|最[低差小少]|[更较][低差]|落后|倒数/gi;
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

const listLabels = ({ headers, rows }: ShownGrid): string[] => [...headers, ...rows.map(([first]) => String(first))];

type PageQuestion = {
  readonly named: ReadonlySet<string>;
  readonly metric: RegExp | undefined;
  /** 1 for the highest, -1 for the lowest, 0 for a value. */
  readonly sign: 1 | -1 | 0;
};

/** Returns null if a word of the question was not read. */
function parseQuestion(question: string, labels: readonly string[]): PageQuestion | null {
  const subjects = [...new Set(labels)]
    .filter((label) => /\D../.test(label) || /[\u3400-\u9fff]/.test(label))
    .map((name): Subject => {
      // `1B` names `Form 1B`.
      const patterns = [name, /\d+[a-z]$/i.exec(name)?.[0] ?? name].map(buildNamePattern);
      return { type: "label", name, pattern: patterns.join("|") };
    });
  const { mentions, rest } = findMentions(question, subjects);
  if (findUnreadWords([...METRICS, MOST, LEAST, CLASS].reduce(blankAll, rest)).length > 0) return null;
  return {
    named: new Set(mentions.map(({ subject }) => subject.name)),
    metric: METRICS.find((words) => question.search(words) >= 0),
    sign: question.search(LEAST) >= 0 ? -1 : question.search(MOST) >= 0 ? 1 : 0,
  };
}

export function answerPageQuestion(page: unknown, said: string, language: Language): string | null {
  const grids = listGrids(page);
  const question = parseQuestion(normalizeCharacters(said), grids.flatMap(listLabels));
  if (question === null) return null;
  const { named, metric, sign } = question;
  // All that the question names must stand in the grid that answers it.
  const complete = grids.filter((grid) => [...named].every((label) => listLabels(grid).includes(label)));
  const isNamed = (label: string) => named.has(label) || (metric !== undefined && label.search(metric) >= 0);
  if (sign !== 0) return answerExtreme(complete, isNamed, metric, sign, language);
  const needed = Math.min(2, named.size + (metric === undefined ? 0 : 1));
  const facts = complete.flatMap(({ headers, rows }) =>
    rows.flatMap(([name, ...cells]) =>
      cells.flatMap((cell, i) => {
        const at = [String(name), headers[i + 1] ?? ""];
        return at.filter(isNamed).length === needed ? [`- ${at.join(" · ")}: ${formatValue(cell)}`] : [];
      }),
    ),
  );
  return needed === 0 || facts.length === 0 ? null : [...new Set(facts)].slice(0, 8).join("\n");
}

/** Answers which row is highest or lowest, or which class in a comparison of two. */
function answerExtreme(
  grids: readonly ShownGrid[],
  isNamed: (label: string) => boolean,
  metric: RegExp | undefined,
  sign: number,
  language: Language,
): string | null {
  const grid = grids.find(({ headers }) => isNamed(headers[0] ?? "")) ?? grids[0];
  if (grid === undefined) return null;
  const { headers, rows } = grid;
  const numbers = headers.flatMap((name, i) => (i > 0 && rows.some((row) => isFinite(row[i])) ? [{ name, i }] : []));
  const [column, ...others] = numbers.length === 1 ? numbers : numbers.filter(({ name }) => isNamed(name));
  // A comparison of classes has a row for each metric.
  const row = rows.find(([first]) => String(first).search(metric ?? METRICS[0] ?? /$/) >= 0);
  if (row === undefined && (column === undefined || others.length > 0)) return null;
  const values =
    row === undefined
      ? rows.map((cells) => ({ name: String(cells[0]), value: cells[column?.i ?? 0] }))
      : headers.slice(1, 3).map((name, i) => ({ name, value: row[i + 1] }));
  const ordered = values
    .flatMap(({ name, value }) => (isFinite(value) ? [{ name, value }] : []))
    .toSorted((a, b) => sign * (b.value - a.value));
  const [first, second] = ordered;
  if (first === undefined || second === undefined) return null;
  const shown = `${row === undefined ? (column?.name ?? "") : String(row[0])} ${formatValue(first.value)}`;
  if (first.value === second.value) {
    const names = ordered.filter(({ value }) => value === first.value).map(({ name }) => name);
    return pick(language, `${names.join(", ")} are level: ${shown}.`, `${names.join("、")}持平：${shown}。`);
  }
  const [en, zh] = sign > 0 ? ["ahead", "领先"] : ["behind", "靠后"];
  return pick(
    language,
    `**${first.name}** is ${en}: ${shown}; next is ${second.name} with ${formatValue(second.value)}.`,
    `**${first.name}**${zh}：${shown}；其次是${second.name}，${formatValue(second.value)}。`,
  );
}
