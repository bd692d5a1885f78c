// F107. Builds clarifying questions and their options. The options come from the person's data; free input is always
// allowed.

import { assertNever } from "../../../lib/assert.ts";
import type { ClarifyOptions, RouteHint } from "../../../protocol/pages/analysis-api.ts";
import type { MessageKey } from "../../../language/messages.ts";
import { localize } from "../localize.ts";
import type { PromptMaterial } from "../prompt-material.ts";

/** Maximum number of options. A longer list does not help the person. */
const MAX_OPTIONS = 20;

/** A clarifying question. `question` is empty if the model wrote none; `hint` is null if the kind of answer is open. */
export type ClarifyingQuestion = { readonly question: string; readonly hint: RouteHint | null };

const DATASET_WORDS = /\bdata ?sets?\b|数据集/i;

/**
 * Returns the question as shown to the person. Uses a default question if the model wrote none. If a question without a
 * hint is about datasets and there are none, it is replaced by an explanation of uploads, which offers a class instead
 * (hint `needClassId`) if there are classes.
 */
export function completeQuestion(
  modelQuestion: ClarifyingQuestion,
  { datasets, classes }: { readonly datasets: readonly unknown[]; readonly classes: readonly unknown[] },
  language: string,
): ClarifyingQuestion {
  const { question, hint } = modelQuestion;
  if (question === "") return { question: localize("analyst.moreDetails", language), hint };
  if (hint !== null || datasets.length > 0 || !DATASET_WORDS.test(question)) return modelQuestion;
  return classes.length === 0
    ? { question: localize("analyst.noDataset", language), hint }
    : { question: localize("analyst.noDatasetOrClass", language), hint: "needClassId" };
}

const TIME_RANGES: readonly (readonly [value: string, label: MessageKey])[] = [
  ["this_week", "analyst.thisWeek"],
  ["this_month", "analyst.thisMonth"],
  ["this_semester", "analyst.thisSemester"],
];

const SUBJECTS: readonly (readonly [value: string, label: MessageKey])[] = [
  ["english", "analyst.english"],
  ["math", "analyst.mathematics"],
  ["chinese", "analyst.chinese"],
  ["science", "analyst.science"],
];

/**
 * Returns at most twenty options for a question about `request`; free input is always allowed. By the hint they are
 * classes, time ranges or subjects, and none for an assignment. Without a hint they are the columns of the only dataset
 * that the request names, else the person's datasets.
 */
export function createClarifyOptions(
  hint: RouteHint | null,
  { classes, datasets }: Pick<PromptMaterial, "classes" | "datasets">,
  language: string,
  request = "",
): ClarifyOptions {
  switch (hint) {
    case "needClassId":
      return createOptions(classes.map(({ class_id, name }) => ({ label: name, value: class_id, description: "" })));
    case "needTimeRange":
      return createOptions(localizeChoices(TIME_RANGES, language));
    case "needSubject":
      return createOptions(localizeChoices(SUBJECTS, language));
    case "needAssignment":
      return createOptions([]);
    case null:
      return createOptions(createDatasetChoices(datasets, request));
    default:
      return assertNever(hint);
  }
}

/** Returns the columns if the request names exactly one dataset, else all datasets. */
function createDatasetChoices(datasets: PromptMaterial["datasets"], request: string): ClarifyOptions["choices"] {
  const [mentioned, ...others] = datasets.filter(({ name }) => request.toLowerCase().includes(name.toLowerCase()));
  if (mentioned !== undefined && others.length === 0)
    return mentioned.columns.map(({ name }) => ({ label: name, value: name, description: "" }));
  return datasets.map(({ dataset_id, name, columns }) => {
    const description = columns.map((column) => column.name).join(", ");
    return { label: name, value: dataset_id, description: description.slice(0, 200) };
  });
}

function createOptions(choices: ClarifyOptions["choices"]): ClarifyOptions {
  return { type: "single_select", choices: choices.slice(0, MAX_OPTIONS), allowCustomInput: true };
}

function localizeChoices(list: typeof SUBJECTS, language: string): ClarifyOptions["choices"] {
  return list.map(([value, label]) => ({ label: localize(label, language), value, description: "" }));
}
