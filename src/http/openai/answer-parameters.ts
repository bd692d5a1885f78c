// The parameters that both APIs have for the answer: the tools of the client and the format. They differ in where the
// members are; the schemas accept both forms.

import * as z from "zod";
import type { ClientTools } from "../../core/models/answer-options.ts";
import { isUsableSchema } from "../../core/models/usable-schema.ts";
import type { AnswerFormat, ToolSpec } from "../../core/ports.ts";
import { HANDOFF_TOOL } from "../../core/turn/triage.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import { parseNamedValue } from "../../protocol/wire/fault.ts";
import { OpenAiError } from "./openai-error.ts";

const MAX_TOOLS = 128;
const MAX_DESCRIPTION_CHARS = 8_192;
/** The maximum size of all tools, or of a format, in bytes of JSON. They are stored with the message, in one row. */
const MAX_PARAMETER_BYTES = 128 * 1024;

const nameSchema = z.string().regex(/^[\w-]{1,64}$/, "use letters, digits, _ and -, at most 64");
const jsonSchemaSchema = z.record(z.string(), z.unknown()).and(jsonValueSchema) as z.ZodType<Record<string, unknown>>;
const functionSchema = z.looseObject({
  name: nameSchema,
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullish(),
  parameters: jsonSchemaSchema.nullish(),
  strict: z.boolean().nullish(),
});
const formatSchema = z.looseObject({
  name: nameSchema,
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullish(),
  schema: jsonSchemaSchema.nullish(),
  strict: z.boolean().nullish(),
});

const typedSchema = z.looseObject({ type: z.string() });
export const toolListSchema = z.array(typedSchema).max(MAX_TOOLS);
export const toolChoiceSchema = z.union([z.enum(["none", "auto", "required"]), typedSchema]);
export const answerFormatSchema = typedSchema;
type Typed = z.infer<typeof typedSchema>;

export type ToolParameters = {
  readonly tools?: readonly Typed[] | null | undefined;
  readonly tool_choice?: z.infer<typeof toolChoiceSchema> | null | undefined;
  readonly parallel_tool_calls?: boolean | null | undefined;
};

/**
 * Parses the tools that the model may call; undefined if there are none. Throws an `OpenAiError` or a `Fault` (400) for
 * tools other than functions, and for a choice that names no tool.
 */
export function parseClientTools(parameters: ToolParameters): ClientTools | undefined {
  const specs = (parameters.tools ?? []).map((tool, i) => parseTool(tool, `tools.${i}`));
  if (exceedsBytes(JSON.stringify(specs), MAX_PARAMETER_BYTES)) throw createSizeError("tools");
  for (const [i, { name }] of specs.entries()) {
    const isTaken = name === HANDOFF_TOOL.name || specs.findIndex((spec) => spec.name === name) < i;
    if (isTaken) throw createError(`tools.${i}`, `the name ${name} is already used`);
  }
  const { mustCall, names } = parseToolChoice(parameters.tool_choice ?? "auto");
  const unknown = names?.find((name) => !specs.some((spec) => spec.name === name));
  if (unknown !== undefined) throw createError("tool_choice", `there is no tool ${JSON.stringify(unknown)}`);
  const tools = specs.filter(({ name }) => names?.includes(name) ?? true);
  if (mustCall && tools.length === 0) throw createError("tool_choice", "there are no tools");
  return tools.length === 0 ? undefined : { tools, mustCall, callsOnce: parameters.parallel_tool_calls === false };
}

function parseTool(tool: Typed, param: string): ToolSpec {
  if (tool.type !== "function") {
    throw new OpenAiError(400, "unsupported", `${param}: must be a function, not ${quote(tool.type)}`, { param });
  }
  const { name, description, parameters, strict } = parseNamedValue(param, functionSchema, tool["function"] ?? tool);
  const schema = parameters ?? { type: "object", properties: {} };
  if (strict === true && !isUsableSchema(schema)) throw createError(`${param}.parameters`, "is not a JSON Schema");
  return {
    name,
    description: description ?? "",
    parameters: schema,
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
}

/** Returns whether a call is required, and the names of the allowed tools; null for all. */
function parseToolChoice(choice: NonNullable<ToolParameters["tool_choice"]>): {
  readonly mustCall: boolean;
  readonly names: readonly string[] | null;
} {
  if (choice === "none") return { mustCall: false, names: [] };
  if (typeof choice === "string") return { mustCall: choice === "required", names: null };
  if (choice.type === "function") return { mustCall: true, names: [parseToolName(choice)] };
  if (choice.type !== "allowed_tools") {
    throw new OpenAiError(400, "unsupported", `tool_choice: ${quote(choice.type)} is not supported`, {
      param: "tool_choice",
    });
  }
  const schema = z.looseObject({ mode: z.enum(["auto", "required"]), tools: z.array(typedSchema).min(1) });
  const { mode, tools } = parseNamedValue("tool_choice", schema, choice["allowed_tools"] ?? choice);
  return { mustCall: mode === "required", names: tools.map(parseToolName) };
}

const namedSchema = z.looseObject({ name: z.string() });
const parseToolName = (choice: Typed): string =>
  parseNamedValue("tool_choice", namedSchema, choice["function"] ?? choice).name;

/** Parses a format; undefined for plain text. `param` is its parameter. Throws an `OpenAiError` or a `Fault` (400). */
export function parseAnswerFormat(format: Typed | null | undefined, param: string): AnswerFormat | undefined {
  if (format === null || format === undefined || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema") {
    throw new OpenAiError(400, "unsupported", `${param}: ${quote(format.type)} is not supported`, { param });
  }
  const { name, description, schema, strict } = parseNamedValue(param, formatSchema, format["json_schema"] ?? format);
  if (schema === null || schema === undefined) return { type: "json_object" };
  if (exceedsBytes(JSON.stringify(schema), MAX_PARAMETER_BYTES)) throw createSizeError(param);
  if (!isUsableSchema(schema)) throw createError(`${param}.schema`, "is not a JSON Schema that stands alone");
  const purpose = typeof description === "string" ? { description } : {};
  return { type: "json_schema", name, ...purpose, schema, strict: strict === true };
}

function createError(param: string, problem: string): OpenAiError {
  return new OpenAiError(400, "invalid_request", `${param}: ${problem}`, { param });
}

function createSizeError(param: string): OpenAiError {
  return new OpenAiError(413, "too_large", `${param}: must not exceed ${MAX_PARAMETER_BYTES} bytes`, { param });
}

/** Quotes the beginning of a text for an error message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
