// Parses blocks that a model writes as JSON within its text. Parsing is lenient; unreadable text becomes a markdown
// block.

import type { BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import { questionGeneratorSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import { createMarkdownBlock } from "../blocks/markdown-block.ts";
import { localize } from "../localize.ts";
import { getTextProp } from "../blocks/slot-props.ts";
import { isRecord, isScalar, type DataRow } from "../blocks/data-shapes.ts";

type WrittenSlotProps = Readonly<Record<string, unknown>>;
type SuggestionItem = Extract<PageBlock, { type: "suggestion_list" }>["items"][number];
type ExerciseQuestion = Extract<PageBlock, { type: "question_generator" }>["questions"][number];

const MAX_ITEMS = 30;

/**
 * Returns the block for a written text. For a suggestion list or exercises the text contains JSON; a text without
 * usable JSON becomes a markdown block.
 */
export function createWrittenBlock(
  { id, componentType }: Pick<BlueprintSlot, "id" | "componentType">,
  text: string,
  props: WrittenSlotProps,
  language: string,
): PageBlock {
  const json = componentType === "markdown" ? null : extractJson(text);
  const block =
    componentType === "suggestion_list"
      ? createSuggestionBlock(id, json, props, language)
      : componentType === "question_generator"
        ? createQuestionBlock(id, json, props, language)
        : null;
  return block ?? createMarkdownBlock(id, text, props);
}

/**
 * Returns the first JSON list or object found in a text, whatever surrounds it; null if none is found. Tries a limited
 * number of brackets, so hostile texts cost little.
 */
export function extractJson(text: string): unknown {
  const opening = /[[{]/g;
  for (let tries = 0, match = opening.exec(text); match !== null && tries < 20; tries++, match = opening.exec(text)) {
    const close = match[0] === "[" ? "]" : "}";
    for (
      let end = text.lastIndexOf(close), ends = 0;
      end > match.index && ends < 5;
      end = text.lastIndexOf(close, end - 1), ends++
    ) {
      try {
        return JSON.parse(text.slice(match.index, end + 1)) as unknown;
      } catch {
        // Another closing bracket may match.
      }
    }
  }
  return null;
}

/** Returns a block of at most 30 suggestions, or null if the data contains no readable suggestion. */
export function createSuggestionBlock(
  id: string,
  data: unknown,
  props: WrittenSlotProps,
  language: string,
): PageBlock | null {
  const { list, container } = findList(data, ["items", "suggestions", "recommendations", "data", "建议"]);
  const items = list.slice(0, MAX_ITEMS).flatMap(parseSuggestion);
  if (items.length === 0) return null;
  const title =
    getTextProp(props, "title") ?? getTextProp(container, "title") ?? localize("analyst.suggestions", language);
  return { id, type: "suggestion_list", title: title, items };
}

/** Parses one suggestion under any of the usual member names. Returns an empty list if it has no text. */
function parseSuggestion(item: unknown): SuggestionItem[] {
  if (isScalar(item)) return [{ title: String(item), description: "", priority: "medium", category: "" }];
  if (!isRecord(item)) return [];
  const description =
    getTextProp(item, "description", "detail", "details", "content", "text", "action", "描述", "内容") ?? "";
  const title = getTextProp(item, "title", "name", "suggestion", "heading", "标题", "建议") ?? description;
  if (title === "") return [];
  return [
    {
      title: title,
      description: title === description ? "" : description,
      priority: parsePriority(getTextProp(item, "priority", "level", "优先级") ?? ""),
      category: getTextProp(item, "category", "type", "类别") ?? "",
    },
  ];
}

function parsePriority(word: string): SuggestionItem["priority"] {
  if (/high|urgent|critical|高|紧急/i.test(word)) return "high";
  return /low|低/i.test(word) ? "low" : "medium";
}

/** Returns a block of at most 30 exercises, or null if the data contains no readable exercise. */
export function createQuestionBlock(
  id: string,
  data: unknown,
  props: WrittenSlotProps,
  language: string,
): PageBlock | null {
  const { list, container } = findList(data, ["questions", "items", "data", "题目"]);
  const questions = list.slice(0, MAX_ITEMS).flatMap((item, i) => (isRecord(item) ? parseQuestion(item, i) : []));
  if (questions.length === 0) return null;
  const text = (name: string) => getTextProp(props, name) ?? getTextProp(container, name) ?? "";
  const context = isRecord(props["context"]) ? props["context"] : {};
  return {
    id,
    type: "question_generator",
    title: text("title") || localize("analyst.exercises", language),
    description: text("description"),
    knowledgePoint: text("knowledgePoint"),
    questions,
    context,
  };
}

const questionSchema = questionGeneratorSchema.shape.questions.element;

/** Parses one exercise. Returns an empty list if it has no question or does not match the schema. */
function parseQuestion(item: DataRow, i: number): ExerciseQuestion[] {
  const options = Array.isArray(item["options"])
    ? item["options"].filter(isScalar).map((option) => String(option))
    : [];
  const parsed = questionSchema.safeParse({
    id: isScalar(item["id"]) ? String(item["id"]) : `q${i + 1}`,
    order: i + 1,
    type: parseQuestionType(getTextProp(item, "type", "题型") ?? "", options.length),
    question: getTextProp(item, "question", "text", "stem", "prompt", "题目") ?? "",
    ...(options.length === 0 ? {} : { options }),
    answer: formatAnswer(item["answer"] ?? item["correctAnswer"] ?? item["correct_answer"] ?? item["答案"]),
    explanation: getTextProp(item, "explanation", "reason", "解析") ?? "",
    difficulty: parseDifficulty(getTextProp(item, "difficulty", "难度") ?? ""),
  });
  return parsed.success && parsed.data.question !== "" ? [parsed.data] : [];
}

/** Maps a type name to the schema; unknown names become a choice if there are options, else a short answer. */
function parseQuestionType(word: string, options: number): ExerciseQuestion["type"] {
  if (/true|false|judg|判断/i.test(word)) return "true_false";
  if (/blank|fill|填空/i.test(word)) return "fill_in_blank";
  if (/choice|select|选择/i.test(word)) return "multiple_choice";
  return options > 0 ? "multiple_choice" : "short_answer";
}

function parseDifficulty(word: string): ExerciseQuestion["difficulty"] {
  if (/easy|简单|容易|低/i.test(word)) return "easy";
  return /hard|difficult|困难|难|高/i.test(word) ? "hard" : "medium";
}

function formatAnswer(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isScalar).join(", ");
  return isScalar(value) ? String(value) : "";
}

/**
 * Returns the list itself, or the first list in an object under one of the names, together with the surrounding object.
 */
function findList(
  data: unknown,
  names: readonly string[],
): { readonly list: readonly unknown[]; readonly container: DataRow } {
  if (Array.isArray(data)) return { list: data, container: {} };
  if (!isRecord(data)) return { list: [], container: {} };
  const list = names.map((name) => data[name]).find((value) => Array.isArray(value));
  return { list: Array.isArray(list) ? (list as unknown[]) : [], container: data };
}
