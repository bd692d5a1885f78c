// The template of a tool: its definition, and the words that ask for it.

import type { ToolCategory } from "../../../protocol/tools.ts";
import type { Both } from "../../../protocol/words/language.ts";
import type { Schema } from "../parameters.ts";
import type { Words } from "./words.ts";

export type Args = Readonly<Record<string, unknown>>;

export type Template = {
  readonly name: string;
  /** Bilingual, with the words of requests, so that a search finds the tool. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly parameters: Schema;
  readonly returns: Schema;
  readonly code: string;
  /** The words that ask for it, if it needs certain words. */
  readonly asked?: RegExp;
  /** Matches the name or description of an equivalent tool; `requestPattern` by default. */
  readonly means?: RegExp;
  /** Returns the arguments; null if the words lack one or ask for something else. */
  readonly read: (words: Words) => Args | null;
  /** A noun for the result, if several such results may be asked of one text or list. */
  readonly title?: Both;
};

/** Creates the parameter schema; `optional` names may be omitted. */
export function takes(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const described =
  (schema: Schema) =>
  (description: string): Schema => ({ ...schema, description });

export const integer = described({ type: "integer" });
export const string = described({ type: "string" });
/** Numbers with too many digits are passed as text. */
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
