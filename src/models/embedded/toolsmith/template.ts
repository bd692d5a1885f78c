// What the embedded model knows of one tool: what it writes down, and which words ask for it.

import type { ToolCategory } from "../../../protocol/tools.ts";
import type { Both } from "../../../protocol/words/language.ts";
import type { Schema } from "../parameters.ts";
import type { Words } from "./words.ts";

export type Args = Readonly<Record<string, unknown>>;

export type Template = {
  readonly name: string;
  /** In both languages, with the words that people ask with: a search finds the tool by them. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly parameters: Schema;
  readonly returns: Schema;
  readonly code: string;
  /** The words that ask for it, if it takes certain ones. */
  readonly asked?: RegExp;
  /** How a tool of the same effect is called or described by whoever else wrote it: as it is asked for, if left out. */
  readonly means?: RegExp;
  /** The arguments, where the words hold all of them; null where they do not, or ask for something else. */
  readonly read: (words: Words) => Args | null;
  /** What it finds, as a noun, where several such things may be asked of one text or list at once. */
  readonly title?: Both;
};

/** What a tool takes. What is `optional` may be left out. */
export function takes(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const described =
  (schema: Schema) =>
  (description: string): Schema => ({ ...schema, description });

export const integer = described({ type: "integer" });
export const string = described({ type: "string" });
/** Digits that a number would lose travel as text. */
export const exactNumber = described({ type: ["number", "string"] });

export const DATE = string("YYYY-MM-DD");
export const TEXT = string("The text 文本");
export const ZONE = string("IANA time zone 时区, e.g. Asia/Shanghai");
export const LOCALE = string("Language of the answer 语言, e.g. zh-CN or en");
export const NUMBERS: Schema = {
  type: "array",
  items: { type: ["number", "string"] },
  minItems: 1,
  description: "The numbers in order; very large ones as text 依次列出的数",
};

export const A_NUMBER: Schema = { type: "number" };
export const A_TEXT: Schema = { type: "string" };
export const A_FLAG: Schema = { type: "boolean" };
export const A_LIST: Schema = { type: "array" };
export const EXACT_RESULT: Schema = { type: ["number", "string"] };

export const math = (template: Omit<Template, "category">): Template => ({ category: "math", ...template });
export const text = (template: Omit<Template, "category">): Template => ({ category: "text", ...template });
export const calendar = (template: Omit<Template, "category">): Template => ({ category: "calendar", ...template });
export const time = (template: Omit<Template, "category">): Template => ({ category: "datetime", ...template });
