// The template of a tool: its definition, and the words that ask for it.

import type { ToolCategory } from "../../protocol/tools/stored-tool.ts";
import type { LocalizedText } from "../../language/detect-language.ts";
import type { ParameterSchema } from "../tool-parameters.ts";
import type { SubtaskWords } from "./subtask-words.ts";

export type TemplateArgs = Readonly<Record<string, unknown>>;

export type ToolTemplate = {
  readonly name: string;
  /** Bilingual, with the words of requests, so that a search finds the tool. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly parameters: ParameterSchema;
  readonly returns: ParameterSchema;
  readonly code: string;
  /** The words that ask for it, if it needs certain words. */
  readonly requestPattern?: RegExp;
  /** Matches the name or description of an equivalent tool; `requestPattern` by default. */
  readonly equivalentPattern?: RegExp;
  /** Returns the arguments; null if the words lack one or ask for something else. */
  readonly parseArgs: (words: SubtaskWords) => TemplateArgs | null;
  /** A noun for the result, if several such results may be asked of one text or list. */
  readonly title?: LocalizedText;
};

/** Creates the parameter schema; `optional` names may be omitted. */
export function createParameters(
  properties: Readonly<Record<string, ParameterSchema>>,
  optional: readonly string[] = [],
): ParameterSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const createSchemaFactory =
  (schema: ParameterSchema) =>
  (description: string): ParameterSchema => ({ ...schema, description });

export const integerSchema = createSchemaFactory({ type: "integer" });
export const stringSchema = createSchemaFactory({ type: "string" });
/** Numbers with too many digits are passed as text. */
export const exactNumberSchema = createSchemaFactory({ type: ["number", "string"] });

export const DATE_SCHEMA = stringSchema("YYYY-MM-DD");
export const TEXT_SCHEMA = stringSchema("The text 文本");
export const ZONE_SCHEMA = stringSchema("IANA time zone 时区, e.g. Asia/Shanghai");
export const LOCALE_SCHEMA = stringSchema("Language of the answer 语言, e.g. zh-CN or en");
export const NUMBERS_SCHEMA: ParameterSchema = {
  type: "array",
  items: { type: ["number", "string"] },
  minItems: 1,
  description: "The numbers in order; very large ones as text 依次列出的数",
};

export const NUMBER_RESULT: ParameterSchema = { type: "number" };
export const TEXT_RESULT: ParameterSchema = { type: "string" };
export const FLAG_RESULT: ParameterSchema = { type: "boolean" };
export const LIST_RESULT: ParameterSchema = { type: "array" };
export const EXACT_RESULT: ParameterSchema = { type: ["number", "string"] };

export const createMathTemplate = (template: Omit<ToolTemplate, "category">): ToolTemplate => ({
  category: "math",
  ...template,
});
export const createTextToolTemplate = (template: Omit<ToolTemplate, "category">): ToolTemplate => ({
  category: "text",
  ...template,
});
export const createCalendarTemplate = (template: Omit<ToolTemplate, "category">): ToolTemplate => ({
  category: "calendar",
  ...template,
});
export const createTimeTemplate = (template: Omit<ToolTemplate, "category">): ToolTemplate => ({
  category: "datetime",
  ...template,
});
