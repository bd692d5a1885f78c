// Listener plans: a template names tasks and listeners, "when 002 is Done, this agent does that, then 003 is Done".
// The configuration is that of the systems which such plans come from, so theirs can be posted as they are.

import * as z from "zod";
import { exceedsBytes } from "./commands.ts";
import { jsonSchema } from "./json.ts";
import { titleSchema } from "./title.ts";

/** The words that listener plans use for the statuses of their tasks. What they are to others is in `CANONICAL`. */
export const PLAN_STATUSES = ["NotStarted", "Running", "Retrying", "Pending", "Done", "Error"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** X6. */
export const CANONICAL = {
  NotStarted: "pending",
  Running: "running",
  Retrying: "retrying",
  Pending: "waiting_input",
  Done: "completed",
  Error: "failed",
} as const satisfies Record<PlanStatus, string>;

/** A status in either vocabulary, in any case, the words of plans first: `pending` is Pending. Null when it is none. */
export function planStatusOf(word: string): PlanStatus | null {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, "");
  const known = bare(word);
  const own = PLAN_STATUSES.find((status) => bare(status) === known);
  return own ?? PLAN_STATUSES.find((status) => bare(CANONICAL[status]) === known) ?? null;
}

const planStatusSchema = z.string().transform((word, context): PlanStatus => {
  const status = planStatusOf(word);
  if (status !== null) return status;
  context.addIssue({ code: "custom", message: `is none of ${PLAN_STATUSES.join(", ")}` });
  return z.NEVER;
});

const id = z.coerce
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be 1 to 64 letters, digits, hyphens or underscores");
const text = z.string().max(16_384);

/** JSON values by name: what is known of a task. */
export const planContextSchema = z.record(z.string().max(200), jsonSchema);
export type PlanContext = z.infer<typeof planContextSchema>;

/** Of the JSON of a context that comes from outside: it goes into every task. */
const MAX_CONTEXT_BYTES = 64 * 1024;

/** A context that comes from outside. */
export const givenContextSchema = planContextSchema.refine(
  (context) => !exceedsBytes(JSON.stringify(context), MAX_CONTEXT_BYTES),
  `must not exceed ${MAX_CONTEXT_BYTES} bytes as JSON`,
);

/**
 * What a listener makes of a task. In the texts of `context`, `{{result.x}}` stands for a field of the agent's
 * structured result and `{002.context.x}` for what is known of a task; what is not there stays as it is written (X24).
 */
export const planOutputSchema = z.object({
  task_id: id,
  status: planStatusSchema,
  context: planContextSchema.default({}),
});
export type PlanOutput = z.infer<typeof planOutputSchema>;

export const planTaskSchema = z.object({
  task_id: id,
  name: titleSchema,
  prompt: text.default(""),
  is_main_task: z.boolean().optional(),
  parent_task_id: id.nullish(),
});
export type PlanTask = z.infer<typeof planTaskSchema>;

export const listenerSchema = z.object({
  listener_id: id,
  /** One task or several: `003`, `004,005`. A change of any of them is looked at. */
  trigger_task_id: z.string().min(1).max(2_000),
  /** `conditions/condition.ts` has the grammar. A bare status is meant of every trigger task; `Any` of any change. */
  trigger_condition: text.nullish().transform((given) => given ?? "Any"),
  /** A further condition that has to hold at the same time. */
  action_condition: text.nullish().transform((given) => given ?? "true"),
  listener_type: z.enum(["agent", "code"]).default("agent"),
  agent_id: z.string().max(128).nullish(),
  /** What the agent is asked. `{001.context.name}` stands for what is known of a task, or else of the main task. */
  action_prompt: text.default(""),
  /** JavaScript of one function of `{ tasks, values }`; without it a code listener only makes its output. */
  code_snippet: text.nullish(),
  success_output: planOutputSchema,
  failure_output: planOutputSchema.nullish(),
  priority: z.number().optional(),
});
export type Listener = z.infer<typeof listenerSchema>;

export const MAX_PLAN_TASKS = 200;
export const MAX_LISTENERS_OF_PLAN = 500;

/** A template as somebody writes it. What else makes one unacceptable is said by `core/listeners/rules.ts`. */
export const planConfigSchema = z.object({
  /** What it is called in addresses and, as an agent, in plans; made from the name where there is none. */
  plan_id: id.optional(),
  name: titleSchema,
  description: text.default(""),
  /** Without it the task that is marked as such, or the first. */
  main_task_id: id.optional(),
  tasks: z.array(planTaskSchema).min(1).max(MAX_PLAN_TASKS),
  listeners: z.array(listenerSchema).min(1).max(MAX_LISTENERS_OF_PLAN),
  /** How often a listener that failed is tried again by itself before the plan waits for somebody to resume it. */
  max_retries: z.int().min(0).max(10).default(3),
});
export type PlanConfig = z.infer<typeof planConfigSchema>;
/** As it may be written: without what has a default. */
export type PlanInput = z.input<typeof planConfigSchema>;

export const templateStatusSchema = z.enum(["draft", "released", "archived"]);
export type TemplateStatus = z.infer<typeof templateStatusSchema>;

/** Times are milliseconds since the epoch. */
export const planTemplateSchema = z.object({
  ...planConfigSchema.shape,
  plan_id: id,
  main_task_id: id,
  /** Counts from 1; a change makes the next. Instances keep the version that they began with. */
  version: z.int().min(1),
  /** Only a released one is offered to planner and schedules; an archived one cannot be started. */
  status: templateStatusSchema,
  created_at: z.number(),
  updated_at: z.number(),
});
export type PlanTemplate = z.infer<typeof planTemplateSchema>;

/** What is known of a template without its tasks and listeners. */
export const planTemplateSummarySchema = planTemplateSchema.omit({ tasks: true, listeners: true, max_retries: true });
export type PlanTemplateSummary = z.infer<typeof planTemplateSummarySchema>;

/** What is wrong with a template, and where: a path such as `listeners.2.trigger_condition`. */
export const planProblemSchema = z.object({ path: z.string(), message: z.string() });
export type PlanProblem = z.infer<typeof planProblemSchema>;

/** A template after it was kept. `warnings`: what would keep a draft from being released. */
export const keptPlanTemplateSchema = planTemplateSchema.extend({ warnings: z.array(planProblemSchema) });
export type KeptPlanTemplate = z.infer<typeof keptPlanTemplateSchema>;

/** Newest first; without those that are archived, unless they are asked for. */
export const planTemplatePageSchema = z.object({
  templates: z.array(planTemplateSummarySchema),
  next_cursor: z.string().nullable(),
});
export type PlanTemplatePage = z.infer<typeof planTemplatePageSchema>;

/** Newest first. */
export const planVersionsSchema = z.object({
  versions: z.array(z.object({ version: z.int(), name: z.string(), created_at: z.number() })),
});
export type PlanVersions = z.infer<typeof planVersionsSchema>;

export const MAX_TEMPLATE_BYTES = 512 * 1024;
