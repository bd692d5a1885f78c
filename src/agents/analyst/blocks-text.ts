// Parses blocks that a model writes as JSON within its text. Parsing is lenient; unreadable text becomes a markdown
// block.

import type { Slot } from "../../protocol/blueprint.ts";
import { questionGeneratorSchema, type Block } from "../../protocol/page.ts";
import { markdownOf } from "./blocks-markdown.ts";
import { QUESTIONS, SUGGESTIONS } from "./blocks-phrases.ts";
import { inLanguage } from "./language.ts";
import { textIn } from "./props.ts";
import { isRecord, isScalar, type Row } from "./shapes.ts";

type Props = Readonly<Record<string, unknown>>;
type Suggestion = Extract<Block, { type: "suggestion_list" }>["items"][number];
type Question = Extract<Block, { type: "question_generator" }>["questions"][number];

const MOST_ITEMS = 30;

/**
 * Returns the block for a written text. Falls back to markdown if the JSON of a suggestion list or exercise is
 * unreadable.
 */
export function writtenBlock(
  { id, componentType }: Pick<Slot, "id" | "componentType">,
  text: string,
  props: Props,
  language: string,
): Block {
  const json = componentType === "markdown" ? null : jsonIn(text);
  const block =
    componentType === "suggestion_list"
      ? suggestionsOf(id, json, props, language)
      : componentType === "question_generator"
        ? questionsOf(id, json, props, language)
        : null;
  return block ?? markdownOf(id, text, props);
}

/**
 * Returns the first JSON list or object found in a text, whatever surrounds it; null if none is found. Tries a limited
 * number of brackets, so hostile texts cost little.
 */
export function jsonIn(text: string): unknown {
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

/** Returns a suggestion block, or null if the data contains no readable suggestion. */
export function suggestionsOf(id: string, data: unknown, props: Props, language: string): Block | null {
  const { list, around } = listIn(data, ["items", "suggestions", "recommendations", "data", "建议"]);
  const items = list.slice(0, MOST_ITEMS).flatMap(suggestionOf);
  if (items.length === 0) return null;
  const title = textIn(props, "title") ?? textIn(around, "title") ?? inLanguage(SUGGESTIONS, language);
  return { id, type: "suggestion_list", title: title, items };
}

/** Parses one suggestion under any of the usual member names. Returns an empty list if it has no text. */
function suggestionOf(item: unknown): Suggestion[] {
  if (isScalar(item)) return [{ title: String(item), description: "", priority: "medium", category: "" }];
  if (!isRecord(item)) return [];
  const description =
    textIn(item, "description", "detail", "details", "content", "text", "action", "描述", "内容") ?? "";
  const title = textIn(item, "title", "name", "suggestion", "heading", "标题", "建议") ?? description;
  if (title === "") return [];
  return [
    {
      title: title,
      description: title === description ? "" : description,
      priority: priorityOf(textIn(item, "priority", "level", "优先级") ?? ""),
      category: textIn(item, "category", "type", "类别") ?? "",
    },
  ];
}

function priorityOf(word: string): Suggestion["priority"] {
  if (/high|urgent|critical|高|紧急/i.test(word)) return "high";
  return /low|低/i.test(word) ? "low" : "medium";
}

/** Returns a block of exercises, or null if the data contains no readable exercise. */
export function questionsOf(id: string, data: unknown, props: Props, language: string): Block | null {
  const { list, around } = listIn(data, ["questions", "items", "data", "题目"]);
  const questions = list.slice(0, MOST_ITEMS).flatMap((one, i) => (isRecord(one) ? questionOf(one, i) : []));
  if (questions.length === 0) return null;
  const text = (name: string) => textIn(props, name) ?? textIn(around, name) ?? "";
  const context = isRecord(props["context"]) ? props["context"] : {};
  return {
    id,
    type: "question_generator",
    title: text("title") || inLanguage(QUESTIONS, language),
    description: text("description"),
    knowledgePoint: text("knowledgePoint"),
    questions,
    context,
  };
}

const ONE = questionGeneratorSchema.shape.questions.element;

/** Parses one exercise. Returns an empty list if it has no question or does not match the schema. */
function questionOf(item: Row, i: number): Question[] {
  const options = Array.isArray(item["options"])
    ? item["options"].filter(isScalar).map((option) => String(option))
    : [];
  const read = ONE.safeParse({
    id: isScalar(item["id"]) ? String(item["id"]) : `q${i + 1}`,
    order: i + 1,
    type: kindOf(textIn(item, "type", "题型") ?? "", options.length),
    question: textIn(item, "question", "text", "stem", "prompt", "题目") ?? "",
    ...(options.length === 0 ? {} : { options }),
    answer: answerOf(item["answer"] ?? item["correctAnswer"] ?? item["correct_answer"] ?? item["答案"]),
    explanation: textIn(item, "explanation", "reason", "解析") ?? "",
    difficulty: difficultyOf(textIn(item, "difficulty", "难度") ?? ""),
  });
  return read.success && read.data.question !== "" ? [read.data] : [];
}

/** Maps a type name to the schema; unknown names become a choice if there are options, else a short answer. */
function kindOf(word: string, options: number): Question["type"] {
  if (/true|false|judg|判断/i.test(word)) return "true_false";
  if (/blank|fill|填空/i.test(word)) return "fill_in_blank";
  if (/choice|select|选择/i.test(word)) return "multiple_choice";
  return options > 0 ? "multiple_choice" : "short_answer";
}

function difficultyOf(word: string): Question["difficulty"] {
  if (/easy|简单|容易|低/i.test(word)) return "easy";
  return /hard|difficult|困难|难|高/i.test(word) ? "hard" : "medium";
}

function answerOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter(isScalar).join(", ");
  return isScalar(value) ? String(value) : "";
}

/**
 * Returns the list itself, or the first list in an object under one of the names, together with the surrounding object.
 */
function listIn(data: unknown, names: readonly string[]): { readonly list: readonly unknown[]; readonly around: Row } {
  if (Array.isArray(data)) return { list: data, around: {} };
  if (!isRecord(data)) return { list: [], around: {} };
  const list = names.map((name) => data[name]).find((value) => Array.isArray(value));
  return { list: Array.isArray(list) ? (list as unknown[]) : [], around: data };
}
