// Schemas of templates of listener plans. A template has tasks and listeners: "when 002 is Done, this agent does X,
// then 003 is Done". The format is that of existing plan systems, so their configurations can be posted unchanged.

import * as z from "zod";
import { exceedsBytes } from "./commands.ts";
import { jsonSchema } from "./json.ts";
import { titleSchema } from "./title.ts";

/** The task statuses of listener plans. `CANONICAL_STATUS` maps them to those of the runtime. */
export const PLAN_STATUSES = ["NotStarted", "Running", "Retrying", "Pending", "Done", "Error"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** The canonical task status of each plan status (X6). */
export const CANONICAL = {
  NotStarted: "pending",
  Running: "running",
  Retrying: "retrying",
  Pending: "waiting_input",
  Done: "completed",
  Error: "failed",
} as const satisfies Record<PlanStatus, string>;

/**
 * Parses a plan status or a canonical status. Ignores case, spaces, hyphens and underscores. Plan statuses take
 * precedence: `pending` is Pending, not NotStarted. Returns null for other words.
 */
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

/** The context of a task: JSON values by name. */
export const planContextSchema = z.record(z.string().max(200), jsonSchema);
export type PlanContext = z.infer<typeof planContextSchema>;

/** Limit for a context from a client, as JSON. It is part of every task. */
const MAX_CONTEXT_BYTES = 64 * 1024;

/** A context from a client. */
export const givenContextSchema = planContextSchema.refine(
  (context) => !exceedsBytes(JSON.stringify(context), MAX_CONTEXT_BYTES),
  `must not exceed ${MAX_CONTEXT_BYTES} bytes as JSON`,
);

/**
 * The change of a task by a listener. In the texts of `context`, `{{result.x}}` is replaced by a field of the agent's
 * structured result and `{002.context.x}` by a value of a task's context. Unknown placeholders stay unchanged (X24).
 */
export const planOutputSchema = z.object({
  task_id: id,
  status: planStatusSchema,
  context: planContextSchema.default({}),
});
export type PlanOutput = z.infer<typeof planOutputSchema>;

/** A task of a template. */
export const planTaskSchema = z.object({
  task_id: id,
  name: titleSchema,
  prompt: text.default(""),
  is_main_task: z.boolean().optional(),
  parent_task_id: id.nullish(),
});
export type PlanTask = z.infer<typeof planTaskSchema>;

/** A listener: a trigger, an agent or code to run, and the resulting changes of tasks. */
export const listenerSchema = z.object({
  listener_id: id,
  /** One or several task ids: `003`, `004,005`. The condition is evaluated when any of these tasks changes. */
  trigger_task_id: z.string().min(1).max(2_000),
  /**
   * A condition in the grammar of `condition.ts`. A bare status refers to all trigger tasks; `Any` matches
   * every change.
   */
  trigger_condition: text.nullish().transform((given) => given ?? "Any"),
  /** A second condition that must be true at the same time. */
  action_condition: text.nullish().transform((given) => given ?? "true"),
  listener_type: z.enum(["agent", "code"]).default("agent"),
  agent_id: z.string().max(128).nullish(),
  /** The request to the agent. `{001.context.name}` is replaced by the value of that task, or else of the main task. */
  action_prompt: text.default(""),
  /** JavaScript of a function of `{ tasks, values }`. Without it, a code listener only applies its output. */
  code_snippet: text.nullish(),
  success_output: planOutputSchema,
  failure_output: planOutputSchema.nullish(),
  priority: z.number().optional(),
});
export type Listener = z.infer<typeof listenerSchema>;

export const MAX_PLAN_TASKS = 200;
export const MAX_LISTENERS_OF_PLAN = 500;

/** A template as a user writes it. `core/listeners` checks the rules that this schema cannot express. */
export const planConfigSchema = z.object({
  /** The id in URLs, and the agent name in plans. Derived from the name if absent. */
  plan_id: id.optional(),
  name: titleSchema,
  description: text.default(""),
  /** If absent, the task with `is_main_task`, or the first task. */
  main_task_id: id.optional(),
  tasks: z.array(planTaskSchema).min(1).max(MAX_PLAN_TASKS),
  listeners: z.array(listenerSchema).min(1).max(MAX_LISTENERS_OF_PLAN),
  /** The number of automatic retries of a failed listener before the plan waits for a resume. */
  max_retries: z.int().min(0).max(10).default(3),
});
export type PlanConfig = z.infer<typeof planConfigSchema>;
/** The input form, where members with a default are optional. */
export type PlanInput = z.input<typeof planConfigSchema>;

export const templateStatusSchema = z.enum(["draft", "released", "archived"]);
export type TemplateStatus = z.infer<typeof templateStatusSchema>;

/** A stored template. Times are in ms since the epoch. */
export const planTemplateSchema = z.object({
  ...planConfigSchema.shape,
  plan_id: id,
  main_task_id: id,
  /** Counts from 1; each change creates the next version. An instance keeps the version of its start. */
  version: z.int().min(1),
  /** Only released templates are available to planner and schedules. Archived ones cannot be started. */
  status: templateStatusSchema,
  created_at: z.number(),
  updated_at: z.number(),
});
export type PlanTemplate = z.infer<typeof planTemplateSchema>;

/** A template in a list, without its tasks and listeners. */
export const planTemplateSummarySchema = planTemplateSchema.omit({ tasks: true, listeners: true, max_retries: true });
export type PlanTemplateSummary = z.infer<typeof planTemplateSummarySchema>;

/** A problem of a template. `path` is a dotted path such as `listeners.2.trigger_condition`. */
export const planProblemSchema = z.object({ path: z.string(), message: z.string() });
export type PlanProblem = z.infer<typeof planProblemSchema>;

/** The response to a create or update. `warnings` are the problems that prevent the release of a draft. */
export const keptPlanTemplateSchema = planTemplateSchema.extend({ warnings: z.array(planProblemSchema) });
export type KeptPlanTemplate = z.infer<typeof keptPlanTemplateSchema>;

/** A page of templates, newest first. Archived templates are included only on request. */
export const planTemplatePageSchema = z.object({
  templates: z.array(planTemplateSummarySchema),
  next_cursor: z.string().nullable(),
});
export type PlanTemplatePage = z.infer<typeof planTemplatePageSchema>;

/** The versions of a template, newest first. */
export const planVersionsSchema = z.object({
  versions: z.array(z.object({ version: z.int(), name: z.string(), created_at: z.number() })),
});
export type PlanVersions = z.infer<typeof planVersionsSchema>;

/** Maximum size of a template as JSON. */
export const MAX_TEMPLATE_BYTES = 512 * 1024;
