// Schemas of templates of listener plans. A template has tasks and listeners: "when 002 is Done, this agent does X,
// then 003 is Done". The format is that of existing plan systems, so their configurations can be posted unchanged.

import * as z from "zod";
import { exceedsBytes } from "../../lib/text-size.ts";
import { MAX_CONTEXT_BYTES } from "../wire/commands.ts";
import { criterionSchema } from "../plans/criterion.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { storableTextSchema } from "../../lib/storable-text.ts";
import { titleSchema, visibleTextSchema } from "../../lib/title.ts";

/** The task statuses of listener plans. `CANONICAL_STATUS` maps them to those of the runtime. */
export const WORKFLOW_TASK_STATUSES = ["NotStarted", "Running", "Retrying", "Pending", "Done", "Error"] as const;
export type WorkflowTaskStatus = (typeof WORKFLOW_TASK_STATUSES)[number];

/** The canonical task status of each plan status (X6). */
export const CANONICAL_STATUS = {
  NotStarted: "pending",
  Running: "running",
  Retrying: "retrying",
  Pending: "waiting_input",
  Done: "completed",
  Error: "failed",
} as const satisfies Record<WorkflowTaskStatus, string>;

/**
 * Parses a plan status or a canonical status. Ignores case, spaces, hyphens and underscores. Plan statuses take
 * precedence: `pending` is Pending, not NotStarted. Returns null for other words.
 */
export function parseWorkflowTaskStatus(word: string): WorkflowTaskStatus | null {
  const normalize = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, "");
  const normalized = normalize(word);
  const match = WORKFLOW_TASK_STATUSES.find((status) => normalize(status) === normalized);
  return match ?? WORKFLOW_TASK_STATUSES.find((status) => normalize(CANONICAL_STATUS[status]) === normalized) ?? null;
}

const workflowTaskStatusSchema = z.string().transform((word, context): WorkflowTaskStatus => {
  const status = parseWorkflowTaskStatus(word);
  if (status !== null) return status;
  context.addIssue({ code: "custom", message: `is none of ${WORKFLOW_TASK_STATUSES.join(", ")}` });
  return z.NEVER;
});

const idSchema = z.coerce
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be 1 to 64 letters, digits, hyphens or underscores");
const longTextSchema = storableTextSchema.max(16_384);

/** The context of a task: JSON values by name. */
export const workflowTaskContextSchema = z.record(z.string().max(200), jsonValueSchema);
export type WorkflowTaskContext = z.infer<typeof workflowTaskContextSchema>;

/** A context from a client. */
export const clientContextSchema = workflowTaskContextSchema.refine(
  (context) => !exceedsBytes(JSON.stringify(context), MAX_CONTEXT_BYTES),
  `must not exceed ${MAX_CONTEXT_BYTES} bytes as JSON`,
);

/**
 * The change of a task by a listener. In the texts of `context`, `{{result.x}}` is replaced by a field of the agent's
 * structured result and `{002.context.x}` by a value of a task's context. Unknown placeholders stay unchanged (X24).
 */
export const listenerOutputSchema = z.strictObject({
  task_id: idSchema,
  status: workflowTaskStatusSchema,
  context: workflowTaskContextSchema.default({}),
});
export type ListenerOutput = z.infer<typeof listenerOutputSchema>;

/** A task of a template. */
export const workflowTaskSchema = z.strictObject({
  task_id: idSchema,
  name: titleSchema,
  prompt: longTextSchema.default(""),
  is_main_task: z.boolean().optional(),
  parent_task_id: idSchema.nullish(),
});
export type WorkflowTask = z.infer<typeof workflowTaskSchema>;

/** A listener: a trigger, an agent or code to run, and the resulting changes of tasks. */
export const listenerSchema = z.strictObject({
  listener_id: idSchema,
  /** One or several task ids: `003`, `004,005`. The condition is evaluated when any of these tasks changes. */
  trigger_task_id: z.string().min(1).max(2_000),
  /**
   * A condition in the grammar of `condition.ts`. A bare status refers to all trigger tasks; `Any` matches
   * every change.
   */
  trigger_condition: longTextSchema.nullish().transform((condition) => condition ?? "Any"),
  /** A second condition that must be true at the same time. */
  action_condition: longTextSchema.nullish().transform((condition) => condition ?? "true"),
  listener_type: z.enum(["agent", "code"]).default("agent"),
  agent_id: z.string().max(128).nullish(),
  /** The request to the agent. `{001.context.name}` is replaced by the value of that task, or else of the main task. */
  action_prompt: longTextSchema.default(""),
  /** JavaScript of a function of `{ tasks, values }`. Without it, a code listener only applies its output. */
  code_snippet: longTextSchema.nullish(),
  /**
   * The check of the listener's effect. Its texts may contain the placeholders of `action_prompt`. A listener whose
   * criterion does not hold after its work has failed.
   */
  criterion: criterionSchema.strict().nullish(),
  success_output: listenerOutputSchema,
  failure_output: listenerOutputSchema.nullish(),
  priority: z.number().optional(),
});
export type Listener = z.infer<typeof listenerSchema>;

export const MAX_WORKFLOW_TASKS = 200;
export const MAX_WORKFLOW_LISTENERS = 500;

/**
 * A template as a user writes it. `core/listeners` checks the rules that this schema cannot express. Unknown fields are
 * refused: most are misspelled, and the workflow would run without them.
 */
export const workflowConfigSchema = z.strictObject({
  /** The id in URLs, and the agent name in plans. Derived from the name if absent. */
  plan_id: idSchema.optional(),
  name: titleSchema,
  description: visibleTextSchema.max(16_384).default(""),
  /** If absent, the task with `is_main_task`, or the first task. */
  main_task_id: idSchema.optional(),
  tasks: z.array(workflowTaskSchema).min(1).max(MAX_WORKFLOW_TASKS),
  listeners: z.array(listenerSchema).min(1).max(MAX_WORKFLOW_LISTENERS),
  /** The number of automatic retries of a failed listener before the plan waits for a resume. */
  max_retries: z.int().min(0).max(10).default(3),
});
export type WorkflowConfig = z.infer<typeof workflowConfigSchema>;
/** The input form, where members with a default are optional. */
export type WorkflowConfigInput = z.input<typeof workflowConfigSchema>;

export const workflowTemplateStatusSchema = z.enum(["draft", "released", "archived"]);
export type WorkflowTemplateStatus = z.infer<typeof workflowTemplateStatusSchema>;

/** A stored template. Times are in ms since the epoch. */
export const workflowTemplateSchema = z.object({
  ...workflowConfigSchema.shape,
  plan_id: idSchema,
  main_task_id: idSchema,
  /** Counts from 1; each change creates the next version. An instance keeps the version of its start. */
  version: z.int().min(1),
  /** Only released templates are available to planner and schedules. Archived ones cannot be started. */
  status: workflowTemplateStatusSchema,
  created_at: z.number(),
  updated_at: z.number(),
});
export type WorkflowTemplate = z.infer<typeof workflowTemplateSchema>;

/** A template in a list, without its tasks and listeners. */
export const workflowTemplateSummarySchema = workflowTemplateSchema.omit({
  tasks: true,
  listeners: true,
  max_retries: true,
});
export type WorkflowTemplateSummary = z.infer<typeof workflowTemplateSummarySchema>;

/** A problem of a template. `path` is a dotted path such as `listeners.2.trigger_condition`. */
export const workflowProblemSchema = z.object({ path: z.string(), message: z.string() });
export type WorkflowProblem = z.infer<typeof workflowProblemSchema>;

/** The response to a create or update. `warnings` are the problems that prevent the release of a draft. */
export const savedWorkflowTemplateSchema = workflowTemplateSchema.extend({ warnings: z.array(workflowProblemSchema) });
export type SavedWorkflowTemplate = z.infer<typeof savedWorkflowTemplateSchema>;

/** A page of templates, newest first. Archived templates are included only on request. */
export const workflowTemplateListSchema = z.object({
  templates: z.array(workflowTemplateSummarySchema),
  next_cursor: z.string().nullable(),
});
export type WorkflowTemplateList = z.infer<typeof workflowTemplateListSchema>;

/** The versions of a template, newest first. */
export const workflowTemplateVersionsSchema = z.object({
  versions: z.array(z.object({ version: z.int(), name: z.string(), created_at: z.number() })),
});
export type WorkflowTemplateVersions = z.infer<typeof workflowTemplateVersionsSchema>;

/** Maximum size of a template as JSON. */
export const MAX_WORKFLOW_TEMPLATE_BYTES = 512 * 1024;
