// A blueprint of an analysis: the data it needs, the computations, and the layout of its page. Models and clients write
// blueprints, so they are untrusted. Members are in camelCase, as the clients of these endpoints expect.
//
// A reference is `$context.`, `$input.`, `$data.` or `$compute.` followed by a dotted path: `$data.grades.scores`.

import * as z from "zod";
import { componentTypeSchema, layoutSchema } from "./page.ts";

const id = z.string().min(1).max(128);
const words = z.string().max(4_000);
const ids = z.array(id).max(64).default([]);
/** Arguments or properties: JSON that may contain references. */
const json = z.record(z.string(), z.unknown());

/** An input of the analysis, such as a class or a dataset. */
export const inputSchema = z.object({
  id,
  type: z.enum(["class", "assignment", "student", "date_range", "dataset", "column"]),
  label: words,
  required: z.boolean().default(true),
  dependsOn: id.nullish(),
});

/** A data source of the analysis. Its result is referenced as `$data.<id>`. */
export const bindingSchema = z.object({
  id,
  sourceType: z.enum(["tool", "api", "static"]).default("tool"),
  toolName: id.nullish(),
  apiPath: z.string().max(500).nullish(),
  paramMapping: json.default({}),
  description: words.default(""),
  required: z.boolean().default(true),
  dependsOn: ids,
});
export type Binding = z.infer<typeof bindingSchema>;

/** A computation by a tool or a model. Its result is referenced as `$compute.<outputKey>`. */
export const nodeSchema = z.object({
  id,
  type: z.enum(["tool", "ai"]),
  toolName: id.nullish(),
  toolArgs: json.nullish(),
  promptTemplate: z.string().max(8_000).nullish(),
  dependsOn: ids,
  outputKey: id,
});
export type ComputeNode = z.infer<typeof nodeSchema>;

/** A slot of the page. It contains one block. */
export const slotSchema = z.object({
  id,
  componentType: componentTypeSchema,
  /** A reference to the data of the block. */
  dataBinding: z.string().max(500).nullish(),
  props: json.default({}),
  /** True if a model writes the content: an AI node, or the composition of the page. */
  aiContentSlot: z.boolean().default(false),
});
export type Slot = z.infer<typeof slotSchema>;

/** The whole blueprint. The schema checks only sizes and types; references are checked by the analyst. */
export const blueprintSchema = z.object({
  id,
  name: words.min(1),
  description: words.default(""),
  icon: words.default("chart"),
  category: words.default("analytics"),
  version: z.int().min(1).default(1),
  capabilityLevel: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
  sourcePrompt: z.string().max(65_536).default(""),
  createdAt: z.string().default(""),
  dataContract: z.object({
    inputs: z.array(inputSchema).max(16).default([]),
    bindings: z.array(bindingSchema).max(32).default([]),
  }),
  computeGraph: z.object({ nodes: z.array(nodeSchema).max(64).default([]) }),
  uiComposition: z.object({
    layout: layoutSchema.default("single_page"),
    tabs: z
      .array(z.object({ id, label: words, slots: z.array(slotSchema).max(24).default([]) }))
      .min(1)
      .max(3),
  }),
  pageSystemPrompt: z.string().max(16_000).default(""),
});
export type Blueprint = z.infer<typeof blueprintSchema>;

/** The id of a tab. Empty means that the server selects the tab. */
const tabId = z.string().max(128).default("");

/** One change of a blueprint by a refinement. `recompose` makes the model write the named AI slots again. */
export const patchSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("update_props"), slotId: id, props: json }),
  z.object({ op: z.literal("reorder"), tabId, slotIds: z.array(id).min(1) }),
  z.object({ op: z.literal("add_block"), tabId, slot: slotSchema, index: z.int().min(0).optional() }),
  z.object({ op: z.literal("remove_block"), slotId: id }),
  z.object({ op: z.literal("recompose"), slotIds: z.array(id).min(1), instruction: words.default("") }),
]);
export type Patch = z.infer<typeof patchSchema>;
