// A blueprint of an analysis: the data it needs, the computations, and the layout of its page. Models and clients write
// blueprints, so they are untrusted. Members are in camelCase, as the clients of these endpoints expect.
//
// A reference is `$context.`, `$input.`, `$data.` or `$compute.` followed by a dotted path: `$data.grades.scores`.

import * as z from "zod";
import { visibleLineSchema, visibleTextSchema } from "../../lib/title.ts";
import { componentTypeSchema, pageLayoutSchema } from "./page.ts";

const idSchema = z.string().min(1).max(128);
const textSchema = z.string().max(4_000);
const idListSchema = z.array(idSchema).max(64).default([]);
/** Arguments or properties: JSON that may contain references. */
const jsonObjectSchema = z.record(z.string(), z.unknown());

/** An input of the analysis, such as a class or a dataset. */
export const blueprintInputSchema = z.object({
  id: idSchema,
  type: z.enum(["class", "assignment", "student", "date_range", "dataset", "column"]),
  label: visibleLineSchema.max(4_000),
  required: z.boolean().default(true),
  dependsOn: idSchema.nullish(),
});

/** A data source of the analysis. Its result is referenced as `$data.<id>`. */
export const dataBindingSchema = z.object({
  id: idSchema,
  sourceType: z.enum(["tool", "api", "static"]).default("tool"),
  toolName: idSchema.nullish(),
  apiPath: z.string().max(500).nullish(),
  paramMapping: jsonObjectSchema.default({}),
  description: textSchema.default(""),
  required: z.boolean().default(true),
  dependsOn: idListSchema,
});
export type DataBinding = z.infer<typeof dataBindingSchema>;

/** A computation by a tool or a model. Its result is referenced as `$compute.<outputKey>`. */
export const computeNodeSchema = z.object({
  id: idSchema,
  type: z.enum(["tool", "ai"]),
  toolName: idSchema.nullish(),
  toolArgs: jsonObjectSchema.nullish(),
  promptTemplate: z.string().max(8_000).nullish(),
  dependsOn: idListSchema,
  outputKey: idSchema,
});
export type ComputeNode = z.infer<typeof computeNodeSchema>;

/** A slot of the page. It contains one block. */
export const blueprintSlotSchema = z.object({
  id: idSchema,
  componentType: componentTypeSchema,
  /** A reference to the data of the block. */
  dataBinding: z.string().max(500).nullish(),
  props: jsonObjectSchema.default({}),
  /** True if a model writes the content: an AI node, or the composition of the page. */
  aiContentSlot: z.boolean().default(false),
});
export type BlueprintSlot = z.infer<typeof blueprintSlotSchema>;

/** The whole blueprint. The schema checks only sizes and types; references are checked by the analyst. */
export const blueprintSchema = z.object({
  id: idSchema,
  name: visibleLineSchema.min(1).max(4_000),
  description: visibleTextSchema.max(4_000).default(""),
  icon: textSchema.default("chart"),
  category: textSchema.default("analytics"),
  version: z.int().min(1).default(1),
  capabilityLevel: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
  sourcePrompt: z.string().max(65_536).default(""),
  createdAt: z.string().default(""),
  dataContract: z.object({
    inputs: z.array(blueprintInputSchema).max(16).default([]),
    bindings: z.array(dataBindingSchema).max(32).default([]),
  }),
  computeGraph: z.object({ nodes: z.array(computeNodeSchema).max(64).default([]) }),
  uiComposition: z.object({
    layout: pageLayoutSchema.default("single_page"),
    tabs: z
      .array(
        z.object({
          id: idSchema,
          label: visibleLineSchema.max(4_000),
          slots: z.array(blueprintSlotSchema).max(24).default([]),
        }),
      )
      .min(1)
      .max(3),
  }),
  pageSystemPrompt: z.string().max(16_000).default(""),
});
export type Blueprint = z.infer<typeof blueprintSchema>;

/** The id of a tab. Empty means that the server selects the tab. */
const tabId = z.string().max(128).default("");

/** One change of a blueprint by a refinement. `recompose` makes the model write the named AI slots again. */
export const blueprintPatchSchema = z.discriminatedUnion("op", [
  z.object({ op: z.literal("update_props"), slotId: idSchema, props: jsonObjectSchema }),
  z.object({ op: z.literal("reorder"), tabId, slotIds: z.array(idSchema).min(1) }),
  z.object({ op: z.literal("add_block"), tabId, slot: blueprintSlotSchema, index: z.int().min(0).optional() }),
  z.object({ op: z.literal("remove_block"), slotId: idSchema }),
  z.object({ op: z.literal("recompose"), slotIds: z.array(idSchema).min(1), instruction: textSchema.default("") }),
]);
export type BlueprintPatch = z.infer<typeof blueprintPatchSchema>;
