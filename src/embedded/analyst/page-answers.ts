// Answers questions about a page from its blocks. Returns null if the rules find no answer.

import * as z from "zod";
import type { Language } from "../../language/detect-language.ts";
import { pickByLanguage } from "./blueprint-parts.ts";
import { isFiniteNumber, formatValue } from "./describe-results.ts";
import { hasUnsupportedWords } from "./unsupported-words.ts";

const blockSchema = z.looseObject({ type: z.string(), title: z.string().catch("") });
const pageSchema = z.object({
  name: z.string().catch(""),
  description: z.string().catch(""),
  tabs: z.array(z.object({ blocks: z.array(blockSchema).catch([]) })).catch([]),
});
const chartSchema = z.object({
  title: z.string().catch(""),
  xAxis: z.array(z.unknown()),
  series: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })),
});
const tableSchema = z.object({ headers: z.array(z.string()), rows: z.array(z.unknown()) });
const kpiSchema = z.object({ data: z.array(z.unknown()) });
const figureSchema = z.object({ label: z.string(), value: z.string(), subtext: z.string().catch("") });

/** One value of the page with its labels: `["Form 1A", "Mean"]`. */
type PageFact = { readonly of: readonly string[]; readonly value: string; readonly number: number | null };

const SYNONYMS: readonly RegExp[] = [
  /\b(?:mean|average|avg)\b|平均|均分|均值/i,
  /\bmedian\b|中位/i,
  /\b(?:max(?:imum)?|highest|top)\b|最高|最大/i,
  /\b(?:min(?:imum)?|lowest)\b|最低|最小/i,
  /\b(?:std\.? ?dev|standard deviation|stddev|spread)\b|标准差/i,
  /\b(?:counts?|how many|number of)\b|数量|多少[人个条]|人数|个数/i,
  /\bdifference\b|差[异距值]?|相差/i,
];
const MOST =
  /\b(?:best|better|highest|most|largest|top|leads?|ahead|higher|strongest|wins?|winner)\b|最[高好大多强]|更[高好大]|领先|较好|第一/i;
const LEAST =
  /\b(?:worst|worse|lowest|least|smallest|bottom|behind|lower|weakest)\b|最[低差小少弱]|更[低差小]|落后|较差|倒数/i;

export function answerPageQuestion(given: unknown, data: unknown, question: string, language: Language): string | null {
  const read = pageSchema.safeParse(given);
  if (!read.success) return null;
  const blocks = read.data.tabs.flatMap((tab) => tab.blocks);
  const facts = blocks.flatMap(listFacts);
  if (hasUnsupportedWords(question, [...new Set(facts.flatMap(({ of }) => of))])) return null;
  const extreme = LEAST.test(question) ? "least" : MOST.test(question) ? "most" : null;
  const named = findNamedFacts(facts, question);
  const ends = extreme === null ? null : answerExtreme(blocks, named, question, extreme, language, data);
  if (ends !== null) return ends;
  if (named.length > 0) return formatFacts(named.slice(0, 8));
  const isWhole =
    /\b(?:what does|explain|tell me|summar\w*|about|mean\b|conclusion|findings|see here|show)\b|说明|总结|解释|结论|讲讲|看出|什么意思|概括/i.test(
      question,
    );
  if (!isWhole) return null;
  const texts = blocks.flatMap((block) =>
    block.type === "markdown" && typeof block["content"] === "string" ? [block["content"]] : [],
  );
  return texts.length > 0
    ? texts.join("\n\n")
    : facts.length > 0
      ? formatFacts(facts.slice(0, 8))
      : pickByLanguage(language, read.data.description, read.data.description) || null;
}

const ASKED_FOR: readonly RegExp[] = [
  /(?<![\w-])(\d{1,2}[A-Z])(?!\w)/,
  /\bwhich ([a-z]{3,})\b/i,
  /\b(?:in|from|for) (?:the )?([A-Z][\w-]+)/,
  /哪(?:个|一个|种|家|些)([\u3400-\u9fff]{2,6}?)(?:的|最|更|比|是|有|领先|落后)/,
];
/** Words that apply to every page. */
const ANYTHING =
  /^(?:class(?:es)?|students?|groups?|ones?|value|number|figure|same|is|of|was|are|学生|同学|班级|数字|指标)$/i;

/** True if a question names something that neither the page nor its data contains. */
export function asksForUnknownItem(question: string, known: string): boolean {
  const lower = known.toLowerCase();
  return ASKED_FOR.flatMap((words) => words.exec(question)?.[1] ?? []).some((name) => {
    const stem = name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");
    return !ANYTHING.test(name) && !lower.includes(stem) && !lower.includes(stem.replace(/y$/, "ies"));
  });
}

const formatFacts = (facts: readonly PageFact[]): string =>
  facts.map(({ of, value }) => `- ${of.filter(Boolean).join(" · ")}: ${value}`).join("\n");

function listFacts(block: z.infer<typeof blockSchema>): PageFact[] {
  const chart = chartSchema.safeParse(block);
  if (block.type === "chart" && chart.success) {
    const { xAxis, series } = chart.data;
    return series.flatMap(({ name, data }) =>
      data.flatMap((value, i) =>
        isFiniteNumber(value) ? [{ of: [name, String(xAxis[i] ?? "")], value: formatValue(value), number: value }] : [],
      ),
    );
  }
  const table = tableSchema.safeParse(block);
  if (block.type === "table" && table.success) {
    const { headers, rows } = table.data;
    return rows.flatMap((row) => {
      const [first, ...cells] = Array.isArray(row) ? (row as unknown[]) : [];
      return cells.flatMap((cell, i): PageFact[] =>
        cell === null || cell === undefined
          ? []
          : [
              {
                of: [String(first), headers[i + 1] ?? ""],
                value: formatValue(cell),
                number: isFiniteNumber(cell) ? cell : null,
              },
            ],
      );
    });
  }
  const kpis = kpiSchema.safeParse(block);
  if (block.type !== "kpi_grid" || !kpis.success) return [];
  return kpis.data.data.flatMap((one): PageFact[] => {
    const figure = figureSchema.safeParse(one);
    return figure.success ? [{ of: [figure.data.label], value: figure.data.value, number: null }] : [];
  });
}

/** Returns the facts that match the question best, without duplicates. */
function findNamedFacts(facts: readonly PageFact[], question: string): PageFact[] {
  const lower = question.toLowerCase();
  const asked = SYNONYMS.filter((words) => words.test(question));
  const scored = facts.map((fact) => {
    const names = fact.of.filter((part) => part.length > 1);
    const hits = names.filter((part) => lower.includes(part.toLowerCase()) || lower.includes(getLastWord(part))).length;
    return { fact, score: hits * 2 + asked.filter((words) => fact.of.some((part) => words.test(part))).length };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best === 0) return [];
  const seen = new Set<string>();
  return scored.flatMap(({ fact, score }) => {
    const key = `${fact.of.join("\n")}\n${fact.value}`;
    if (score < best || seen.has(key)) return [];
    seen.add(key);
    return [fact];
  });
}

/** Returns `1a` for `Form 1A`. */
function getLastWord(part: string): string {
  const word =
    part
      .split(/[\s·]+/)
      .at(-1)
      ?.toLowerCase() ?? "";
  return /\d/.test(word) && word.length > 1 ? word : part.toLowerCase();
}

type AnsweredBlock = z.infer<typeof blockSchema>;

/** Answers which item is highest or lowest. */
function answerExtreme(
  blocks: readonly AnsweredBlock[],
  named: readonly PageFact[],
  question: string,
  extreme: "most" | "least",
  language: Language,
  data: unknown,
): string | null {
  const sign = extreme === "most" ? 1 : -1;
  const charts = blocks.flatMap((block) => {
    const chart = block.type === "chart" && block["variant"] !== "distribution" ? chartSchema.safeParse(block) : null;
    return chart?.success === true ? [chart.data] : [];
  });
  if (WHO.test(question)) {
    const students = listStudents(data);
    if (students.length > 1) return formatExtreme(students, "", sign, language);
  }
  const several = charts.find(({ series }) => series.length > 1);
  if (several !== undefined && !WHO.test(question)) {
    const at =
      SYNONYMS.map((words) => several.xAxis.findIndex((one) => words.test(String(one)) && words.test(question))).find(
        (i) => i >= 0,
      ) ?? 0;
    const values = several.series.flatMap(({ name, data }) =>
      isFiniteNumber(data[at]) ? [{ name, value: data[at] as number }] : [],
    );
    return formatExtreme(values, String(several.xAxis[at] ?? ""), sign, language);
  }
  const [best] = [
    ...charts.filter(({ series }) => series.length === 1).map(listChartPoints),
    ...blocks.flatMap(listTablePoints),
  ]
    .filter(({ points }) => points.length > 1)
    .map((one) => ({
      ...one,
      hits: listQuestionWords(question).filter((word) => one.about.toLowerCase().includes(word)).length,
    }))
    .toSorted((a, b) => b.hits - a.hits);
  if (best === undefined) return named.length > 0 ? formatFacts(named.slice(0, 8)) : null;
  return formatExtreme(best.points, best.what, sign, language);
}

/** Returns the words of a question; Chinese as pairs of characters. */
function listQuestionWords(question: string): string[] {
  const han = question.match(/[\u3400-\u9fff]+/g) ?? [];
  const pairs = han.flatMap((run) => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));
  return [...(question.toLowerCase().match(/[a-z]{4,}/g) ?? []), ...pairs];
}

type LabelledPoints = {
  readonly about: string;
  readonly what: string;
  readonly points: readonly { readonly name: string; readonly value: number }[];
};

function listChartPoints({ title, xAxis, series }: z.infer<typeof chartSchema>): LabelledPoints {
  const [first] = series;
  const points = xAxis.flatMap((name, i) => {
    const value = first?.data[i];
    return isFiniteNumber(value) ? [{ name: String(name), value }] : [];
  });
  return { about: title, what: first?.name ?? "", points };
}

const WHO = /\bwho\b|\bstudents?\b|谁|同学|学生/i;

const submittedSchema = z.object({
  result: z.object({ submissions: z.array(z.unknown()) }),
});
const studentSchema = z.object({ name: z.string(), score: z.number() });

/** Returns the scores of all students in the data of the page. */
function listStudents(data: unknown): { name: string; value: number }[] {
  return (Array.isArray(data) ? (data as unknown[]) : []).flatMap((one) => {
    const read = submittedSchema.safeParse(one);
    return (read.data?.result.submissions ?? []).flatMap((row) => {
      const student = studentSchema.safeParse(row);
      return student.success ? [{ name: student.data.name, value: student.data.score }] : [];
    });
  });
}

/** Pairs the first cell of each row with its last number. */
function listTablePoints(block: AnsweredBlock): LabelledPoints[] {
  const table = block.type === "table" ? tableSchema.safeParse(block) : null;
  if (table?.success !== true) return [];
  const { headers, rows } = table.data;
  const lists = rows.filter((row): row is unknown[] => Array.isArray(row));
  const at = headers.findLastIndex((_, i) => i > 0 && lists.some((row) => isFiniteNumber(row[i])));
  const points = lists.flatMap((row) => {
    const value = row[at];
    return isFiniteNumber(value) ? [{ name: String(row[0]), value }] : [];
  });
  return [{ about: `${block.title} ${headers.join(" ")}`, what: headers[at] ?? "", points }];
}

function formatExtreme(
  values: readonly { readonly name: string; readonly value: number }[],
  what: string,
  sign: number,
  language: Language,
): string | null {
  const ordered = values.toSorted((a, b) => sign * (b.value - a.value));
  const [first, second] = ordered;
  if (first === undefined || second === undefined) return null;
  const label = what === "" ? "" : `${what} `;
  if (first.value === second.value) {
    const equal = ordered
      .filter(({ value }) => value === first.value)
      .map(({ name }) => name)
      .join(pickByLanguage(language, ", ", "、"));
    return pickByLanguage(
      language,
      `${equal} are level: ${label}${formatValue(first.value)}.`,
      `${equal}持平：${label}${formatValue(first.value)}。`,
    );
  }
  const [en, zh] = sign > 0 ? ["ahead", "领先"] : ["behind", "靠后"];
  return pickByLanguage(
    language,
    `**${first.name}** is ${en}: ${label}${formatValue(first.value)}; next is ${second.name} with ${formatValue(second.value)}.`,
    `**${first.name}**${zh}：${label}${formatValue(first.value)}；其次是${second.name}，${formatValue(second.value)}。`,
  );
}
