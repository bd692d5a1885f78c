// Parses blocks that a model writes as JSON within its text. Parsing is lenient; unreadable text becomes a markdown
// block.

import * as z from "zod";
import type { BlueprintSlot } from "../../../protocol/pages/blueprint-schema.ts";
import { questionGeneratorSchema, suggestionListSchema, type PageBlock } from "../../../protocol/pages/page.ts";
import { createMarkdownBlock } from "../blocks/markdown-block.ts";
import { localize } from "../localize.ts";
import { getTextProp, type SlotProps } from "../blocks/slot-props.ts";
import { isRecord } from "../blocks/data-shapes.ts";

const MAX_ITEMS = 30;

/**
 * Returns the block for a written text. For a suggestion list or exercises the text contains JSON; a text without
 * usable JSON becomes a markdown block.
 */
export function createWrittenBlock(
  { id, componentType }: Pick<BlueprintSlot, "id" | "componentType">,
  text: string,
  props: SlotProps,
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

const suggestionSchema = z.union([
  z.string().transform((title) => ({ title, description: "", priority: "medium" as const, category: "" })),
  suggestionListSchema.shape.items.element.extend({
    description: z.string().catch(""),
    priority: z
      .string()
      .toLowerCase()
      .pipe(z.enum(["high", "medium", "low"]))
      .catch("medium"),
    category: z.string().catch(""),
  }),
]);

/** Returns a block of at most 30 suggestions, or null if the data contains no readable suggestion. */
export function createSuggestionBlock(id: string, data: unknown, props: SlotProps, language: string): PageBlock | null {
  const items = listMembers(data, "items").flatMap((item) => suggestionSchema.safeParse(item).data ?? []);
  if (items.length === 0) return null;
  const title = getWrittenText("title", props, data) ?? localize("analyst.suggestions", language);
  return { id, type: "suggestion_list", title, items };
}

const scalarTextSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const questionSchema = questionGeneratorSchema.shape.questions.element;
/** A question as models write it. */
const writtenQuestionSchema = z.object({
  id: scalarTextSchema.optional().catch(undefined),
  type: questionSchema.shape.type.optional().catch(undefined),
  question: z.string().min(1),
  options: z.array(scalarTextSchema).min(1).optional().catch(undefined),
  answer: z.union([scalarTextSchema, z.array(scalarTextSchema).transform((parts) => parts.join(", "))]).catch(""),
  explanation: z.string().catch(""),
  difficulty: questionSchema.shape.difficulty.catch("medium"),
});

/** Returns a block of at most 30 exercises, or null if the data contains no readable exercise. */
export function createQuestionBlock(id: string, data: unknown, props: SlotProps, language: string): PageBlock | null {
  const questions = listMembers(data, "questions").flatMap((item, i) => {
    const parsed = writtenQuestionSchema.safeParse(item).data;
    if (parsed === undefined) return [];
    const { id: questionId = `q${i + 1}`, type, options, ...rest } = parsed;
    const fallback = options === undefined ? "short_answer" : "multiple_choice";
    const choices = options === undefined ? {} : { options };
    return [{ ...rest, ...choices, id: questionId, order: i + 1, type: type ?? fallback }];
  });
  if (questions.length === 0) return null;
  return {
    id,
    type: "question_generator",
    title: getWrittenText("title", props, data) ?? localize("analyst.exercises", language),
    description: getWrittenText("description", props, data) ?? "",
    knowledgePoint: getWrittenText("knowledgePoint", props, data) ?? "",
    questions,
    context: isRecord(props["context"]) ? props["context"] : {},
  };
}

/** Returns the first 30 members of a list, or of the list under `name` in an object; an empty list for other data. */
function listMembers(data: unknown, name: string): readonly unknown[] {
  const list: unknown = isRecord(data) ? data[name] : data;
  return Array.isArray(list) ? list.slice(0, MAX_ITEMS) : [];
}

/** Returns the text in the properties of the slot, or else in the written object. */
function getWrittenText(name: string, props: SlotProps, data: unknown): string | undefined {
  return getTextProp(props, name) ?? (isRecord(data) ? getTextProp(data, name) : undefined);
}
