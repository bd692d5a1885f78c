// Answers questions about a page from its tables and charts. Returns null if a word of the question is not about them.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { buildNamePattern, findMentions } from "./analysis-data.ts";
import { blankAll, findUnreadWords } from "./analysis-words.ts";
import { formatValue, isFinite } from "./describe-results.ts";
import { pick } from "./page-draft.ts";

const blockSchema = z.object({
  type: z.string(),
  variant: z.string().catch(""),
  content: z.string().catch(""),
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

export function answerPageQuestion(page: unknown, question: string, language: Language): string | null {
  const blocks = pageSchema.safeParse(page).data?.tabs.flatMap((tab) => tab.blocks) ?? [];
  const grids = blocks.flatMap(({ type, variant, headers, rows, xAxis, series }): ShownGrid[] => {
    if (type === "table") return [{ headers, rows }];
    if (type !== "chart" || variant === "distribution") return [];
    const values = xAxis.map((x, i) => [x, ...series.map(({ data }) => data[i])]);
    return [{ headers: ["", ...series.map(({ name }) => name)], rows: values }];
  });
  const folded = normalizeCharacters(question);
  const labels = grids.flatMap(({ headers, rows }) => [...headers, ...rows.map(([first]) => String(first))]);
  const subjects = [...new Set(labels)]
    .filter((label) => /\D../.test(label) || /[\u3400-\u9fff]/.test(label))
    // `1B` names `Form 1B`.
    .map((name) => ({
      type: "label" as const,
      name,
      pattern: [name, /\d+[a-z]$/i.exec(name)?.[0] ?? name].map(buildNamePattern).join("|"),
    }));
  const { mentions, rest } = findMentions(folded, subjects);
  const wanted = METRICS.find((words) => folded.search(words) >= 0);
  const named = new Set(mentions.map(({ subject }) => subject.name));
  const isNamed = (label: string) => named.has(label) || (wanted !== undefined && label.search(wanted) >= 0);
  if (findUnreadWords([...METRICS, MOST, LEAST, CLASS].reduce(blankAll, rest)).length > 0) return null;
  const sign = folded.search(LEAST) >= 0 ? -1 : folded.search(MOST) >= 0 ? 1 : 0;
  // All that the question names must stand in the grid that answers it.
  const complete = grids.filter(({ headers, rows }) => {
    const own = new Set([...headers, ...rows.map(([first]) => String(first))]);
    return [...named].every((label) => own.has(label));
  });
  if (sign !== 0) return answerExtreme(complete, isNamed, wanted, sign, language);
  const needed = named.size + (wanted === undefined ? 0 : 1);
  const facts = grids.flatMap(({ headers, rows }) =>
    rows.flatMap((row) =>
      row.slice(1).flatMap((cell, i) => {
        const at = [String(row[0]), headers[i + 1] ?? ""];
        return needed > 0 && at.filter(isNamed).length === Math.min(needed, 2)
          ? [`- ${at.join(" · ")}: ${formatValue(cell)}`]
          : [];
      }),
    ),
  );
  if (facts.length > 0) return [...new Set(facts)].slice(0, 8).join("\n");
  return /\b(?:summar\w*|explain)\b|总结|解释|概括/i.test(folded)
    ? blocks
        .map(({ content }) => content)
        .filter(Boolean)
        .join("\n\n") || null
    : null;
}

/** Answers which row is highest or lowest, or which class in a comparison of two. */
function answerExtreme(
  grids: readonly ShownGrid[],
  isNamed: (label: string) => boolean,
  wanted: RegExp | undefined,
  sign: number,
  language: Language,
): string | null {
  const grid = grids.find(({ headers }) => isNamed(headers[0] ?? "")) ?? grids[0];
  if (grid === undefined) return null;
  const { headers, rows } = grid;
  const metric = rows.find(([first]) => String(first).search(wanted ?? METRICS[0] ?? /$/) >= 0);
  const numbers = headers.flatMap((header, i) =>
    i > 0 && rows.some((row) => isFinite(row[i])) ? [{ header, i }] : [],
  );
  const chosen = numbers.length === 1 ? numbers : numbers.filter(({ header }) => isNamed(header));
  const at = chosen.length === 1 ? (chosen[0]?.i ?? -1) : -1;
  const values =
    metric === undefined
      ? rows.map((row) => ({ name: String(row[0]), value: row[at] }))
      : headers.slice(1, 3).map((name, i) => ({ name, value: metric[i + 1] }));
  const ordered = values
    .flatMap(({ name, value }) => (isFinite(value) ? [{ name, value }] : []))
    .toSorted((a, b) => sign * (b.value - a.value));
  const [first, second] = ordered;
  if (first === undefined || second === undefined) return null;
  const shown = `${metric === undefined ? (headers[at] ?? "") : String(metric[0])} ${formatValue(first.value)}`;
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
