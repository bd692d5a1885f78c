// F107. Builds clarifying questions and their options. The options come from the person's data; free input is always
// allowed.

import { unreachable } from "../../protocol/assert.ts";
import type { ClarifyOptions, RouteHint } from "../../protocol/analysis.ts";
import type { Both } from "../../protocol/words/language.ts";
import { inLanguage } from "./language.ts";
import type { Named } from "./names.ts";
import { NO_DATASET, OR_A_CLASS } from "./phrases.ts";

/** Maximum number of options. A longer list does not help the person. */
const MOST = 20;

const DEFAULT_QUESTION: Both = { en: "Could you provide more details?", zh: "能提供更多细节吗？" };

/** A clarifying question. `question` is empty if the model wrote none. */
export type Question = { readonly question: string; readonly hint: RouteHint | null };

const OF_DATASETS = /\bdata ?sets?\b|数据集/i;

/**
 * Returns the question as shown to the person. Uses a default question if the model wrote none. If the question is
 * about datasets and there are none, explains how to upload one, and offers a class instead if there are classes.
 */
export function putBy(
  asked: Question,
  { datasets, classes }: { readonly datasets: readonly unknown[]; readonly classes: readonly unknown[] },
  language: string,
): Question {
  const { question, hint } = asked;
  if (question === "") return { question: inLanguage(DEFAULT_QUESTION, language), hint };
  if (hint !== null || datasets.length > 0 || !OF_DATASETS.test(question)) return asked;
  const said = inLanguage(NO_DATASET, language);
  return classes.length === 0
    ? { question: said, hint }
    : { question: said + inLanguage(OR_A_CLASS, language), hint: "needClassId" };
}

/** Loads the possible options. The functions resolve with an empty list if the look-up fails. */
export type Choices = {
  readonly classes: () => Promise<readonly Named[]>;
  readonly datasets: () => Promise<readonly (Named & { readonly columns: readonly string[] })[]>;
};

const TIME_RANGES: readonly (readonly [value: string, label: Both])[] = [
  ["this_week", { en: "This week", zh: "本周" }],
  ["this_month", { en: "This month", zh: "本月" }],
  ["this_semester", { en: "This semester", zh: "本学期" }],
];

const SUBJECTS: readonly (readonly [value: string, label: Both])[] = [
  ["english", { en: "English", zh: "英语" }],
  ["math", { en: "Mathematics", zh: "数学" }],
  ["chinese", { en: "Chinese", zh: "中文" }],
  ["science", { en: "Science", zh: "科学" }],
];

/**
 * Returns the options for a question about `request`. Without a hint they are the columns of the only dataset that the
 * request names, else the person's datasets. Returns at most twenty options.
 */
export async function optionsFor(
  hint: RouteHint | null,
  choices: Choices,
  language: string,
  request = "",
): Promise<ClarifyOptions> {
  switch (hint) {
    case "needClassId":
      return options((await choices.classes()).map(({ id, name }) => ({ label: name, value: id, description: "" })));
    case "needTimeRange":
      return options(worded(TIME_RANGES, language));
    case "needSubject":
      return options(worded(SUBJECTS, language));
    case "needAssignment":
      return options([]);
    case null:
      return options(choicesAmong(await choices.datasets(), request));
    default:
      return unreachable(hint);
  }
}

/** Returns the columns if the request names exactly one dataset, else all datasets. */
function choicesAmong(datasets: Awaited<ReturnType<Choices["datasets"]>>, request: string): ClarifyOptions["choices"] {
  const [named, ...others] = datasets.filter(({ name }) => request.toLowerCase().includes(name.toLowerCase()));
  if (named !== undefined && others.length === 0)
    return named.columns.map((column) => ({ label: column, value: column, description: "" }));
  return datasets.map(({ id, name, columns }) => ({
    label: name,
    value: id,
    description: columns.join(", ").slice(0, 200),
  }));
}

function options(choices: ClarifyOptions["choices"]): ClarifyOptions {
  return { type: "single_select", choices: choices.slice(0, MOST), allowCustomInput: true };
}

function worded(list: typeof SUBJECTS, language: string): ClarifyOptions["choices"] {
  return list.map(([value, label]) => ({ label: inLanguage(label, language), value, description: "" }));
}
