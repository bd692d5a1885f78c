// Checks whether a schema of a client can be used, before any work: a wrong one would fail only after the model's answer.

import * as z from "zod";
import { listSchemas, type AnyObject } from "./answer-format.ts";

const typeNameSchema = z.enum(["array", "boolean", "integer", "null", "number", "object", "string"]);
const anySchema: z.ZodType = z.lazy(() => z.union([z.boolean(), keywordsSchema]));
const schemaMap = z.record(z.string(), anySchema).optional();
const schemaList = z.array(anySchema).min(1).optional();
const count = z.int().min(0).optional();
const limit = z.number().optional();

/** Keywords whose value is one schema. */
const INNER_KEYWORDS = ["additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"];

/** The keywords whose values the check of an answer relies on. Others are ignored. */
const keywordsSchema = z.looseObject({
  type: z.union([typeNameSchema, z.array(typeNameSchema).min(1)]).optional(),
  $ref: z.string().optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  required: z.array(z.string()).optional(),
  $defs: schemaMap,
  definitions: schemaMap,
  properties: schemaMap,
  dependentSchemas: schemaMap,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  prefixItems: schemaList,
  items: z.union([anySchema, z.array(anySchema)]).optional(),
  ...Object.fromEntries(INNER_KEYWORDS.map((keyword) => [keyword, anySchema.optional()])),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: z.number().positive().optional(),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
});

/** True if the schema is well formed and refers only to parts of itself, by their paths. */
export function isUsableSchema(schema: AnyObject): boolean {
  if (!keywordsSchema.safeParse(schema).success) return false;
  return listSchemas(schema).every(({ $ref, $id, $anchor }) => {
    if ($id !== undefined || $anchor !== undefined) return false;
    return $ref === undefined || (typeof $ref === "string" && resolvesTo(schema, $ref));
  });
}

/** True if a reference such as `#/$defs/city` names a schema within the document. */
function resolvesTo(document: AnyObject, ref: string): boolean {
  if (!/^#(?:\/[^%]*)?$/.test(ref)) return false;
  const names = ref.split("/").slice(1);
  const target = names.reduce<unknown>((part, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof part === "object" && part !== null && Object.hasOwn(part, key) ? (part as AnyObject)[key] : undefined;
  }, document);
  return typeof target === "object" && target !== null;
}
