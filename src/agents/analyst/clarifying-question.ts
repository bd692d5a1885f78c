// F107. Builds clarifying questions and their options. The options come from the person's data; free input is always
// allowed.

import { assertNever } from "../../protocol/assert.ts";
import type { ClarifyOptions, RouteHint } from "../../protocol/pages/analysis-api.ts";
import type { LocalizedText } from "../../protocol/language/detect-language.ts";
import { localize } from "./localize.ts";
import type { NamedItem } from "./class-mentions.ts";
import { NO_DATASET, OR_CHOOSE_CLASS } from "./analyst-messages.ts";

/** Maximum number of options. A longer list does not help the person. */
const MAX_OPTIONS = 20;

const DEFAULT_QUESTION: LocalizedText = { en: "Could you provide more details?", zh: "能提供更多细节吗？" };

/** A clarifying question. `question` is empty if the model wrote none. */
export type ClarifyingQuestion = { readonly question: string; readonly hint: RouteHint | null };

const DATASET_WORDS = /\bdata ?sets?\b|数据集/i;

/**
 * Returns the question as shown to the person. Uses a default question if the model wrote none. If the question is
 * about datasets and there are none, explains how to upload one, and offers a class instead if there are classes.
 */
export function completeQuestion(
  modelQuestion: ClarifyingQuestion,
  { datasets, classes }: { readonly datasets: readonly unknown[]; readonly classes: readonly unknown[] },
  language: string,
): ClarifyingQuestion {
  const { question, hint } = modelQuestion;
  if (question === "") return { question: localize(DEFAULT_QUESTION, language), hint };
  if (hint !== null || datasets.length > 0 || !DATASET_WORDS.test(question)) return modelQuestion;
  const text = localize(NO_DATASET, language);
  return classes.length === 0
    ? { question: text, hint }
    : { question: text + localize(OR_CHOOSE_CLASS, language), hint: "needClassId" };
}

/** Loads the possible options. The functions resolve with an empty list if the look-up fails. */
export type ChoiceSource = {
  readonly classes: () => Promise<readonly NamedItem[]>;
  readonly datasets: () => Promise<readonly (NamedItem & { readonly columns: readonly string[] })[]>;
};

const TIME_RANGES: readonly (readonly [value: string, label: LocalizedText])[] = [
  ["this_week", { en: "This week", zh: "本周" }],
  ["this_month", { en: "This month", zh: "本月" }],
  ["this_semester", { en: "This semester", zh: "本学期" }],
];

const SUBJECTS: readonly (readonly [value: string, label: LocalizedText])[] = [
  ["english", { en: "English", zh: "英语" }],
  ["math", { en: "Mathematics", zh: "数学" }],
  ["chinese", { en: "Chinese", zh: "中文" }],
  ["science", { en: "Science", zh: "科学" }],
];

/**
 * Returns the options for a question about `request`. Without a hint they are the columns of the only dataset that the
 * request names, else the person's datasets. Returns at most twenty options.
 */
export async function createClarifyOptions(
  hint: RouteHint | null,
  choices: ChoiceSource,
  language: string,
  request = "",
): Promise<ClarifyOptions> {
  switch (hint) {
    case "needClassId":
      return createOptions(
        (await choices.classes()).map(({ id, name }) => ({ label: name, value: id, description: "" })),
      );
    case "needTimeRange":
      return createOptions(localizeChoices(TIME_RANGES, language));
    case "needSubject":
      return createOptions(localizeChoices(SUBJECTS, language));
    case "needAssignment":
      return createOptions([]);
    case null:
      return createOptions(createDatasetChoices(await choices.datasets(), request));
    default:
      return assertNever(hint);
  }
}

/** Returns the columns if the request names exactly one dataset, else all datasets. */
function createDatasetChoices(
  datasets: Awaited<ReturnType<ChoiceSource["datasets"]>>,
  request: string,
): ClarifyOptions["choices"] {
  const [mentioned, ...others] = datasets.filter(({ name }) => request.toLowerCase().includes(name.toLowerCase()));
  if (mentioned !== undefined && others.length === 0)
    return mentioned.columns.map((column) => ({ label: column, value: column, description: "" }));
  return datasets.map(({ id, name, columns }) => ({
    label: name,
    value: id,
    description: columns.join(", ").slice(0, 200),
  }));
}

function createOptions(choices: ClarifyOptions["choices"]): ClarifyOptions {
  return { type: "single_select", choices: choices.slice(0, MAX_OPTIONS), allowCustomInput: true };
}

function localizeChoices(list: typeof SUBJECTS, language: string): ClarifyOptions["choices"] {
  return list.map(([value, label]) => ({ label: localize(label, language), value, description: "" }));
}
