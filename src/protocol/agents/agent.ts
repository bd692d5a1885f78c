// Agent cards, and the requests and events between the runtime and an agent, independent of the transport.

import * as z from "zod/mini";
import { isLanguageTag, toCanonicalLanguageTag } from "../../language/language-tag.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";
import { toVisibleLine, toVisibleText } from "../../lib/visible-text.ts";
import { approvalSchema, type QuestionAnswer } from "../wire/question.ts";

/** `lib/title.ts` has the same schemas for the complete zod, which agents do not load. */
const lineSchema = z.string().check(z.overwrite(toVisibleLine));
const textSchema = z.string().check(z.overwrite(toVisibleText));

export const skillSchema = z.object({
  id: lineSchema,
  name: lineSchema,
  description: textSchema,
  tags: z._default(z.array(lineSchema), []),
  examples: z._default(z.array(textSchema), []),
});
export type Skill = z.infer<typeof skillSchema>;

/**
 * The checks that an agent can run on request (`metadata.check`), without a model. An agent has this member only if its
 * work may have effects. `tools` are the known read-only tools; an agent may have more.
 */
export const agentChecksSchema = z.object({
  tools: z._default(
    z.array(z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) })),
    [],
  ),
});
export type AgentChecks = z.infer<typeof agentChecksSchema>;

/**
 * The data of an agent that the runtime uses. All members except the name have defaults, so that an incomplete card of
 * another system still yields a usable agent.
 */
export const agentCardSchema = z.object({
  name: lineSchema.check(z.minLength(1), z.maxLength(128)),
  display_name: z.optional(lineSchema),
  description: z._default(textSchema, ""),
  version: z._default(lineSchema, "0.0.0"),
  skills: z._default(z.array(skillSchema), []),
  capabilities: z._default(
    z.object({ streaming: z._default(z.boolean(), true), push_notifications: z._default(z.boolean(), false) }),
    { streaming: true, push_notifications: false },
  ),
  /** True if the agent gets the user's message unchanged. Planning for it then needs no model call. */
  planner_passthrough: z._default(z.boolean(), false),
  /** True if triage and planner must not select the agent. It can still be addressed by name. */
  hidden: z._default(z.boolean(), false),
  checks: z.exactOptional(agentChecksSchema),
});
export type AgentCard = z.infer<typeof agentCardSchema>;

/**
 * A card with its source: `binding` agents belong to the deployment, `url` agents were registered by URL, `app` agents
 * by a configuration, and `plan` agents are released plan templates.
 */
export const agentSchema = z.object({
  ...agentCardSchema.shape,
  source: z.enum(["binding", "url", "app", "plan"]),
  url: z.optional(z.string()),
  enabled: z.boolean(),
});
export type Agent = z.infer<typeof agentSchema>;

/**
 * The request to an agent. A repeated attempt after an interruption has the same `message_id`. With `reply`, the
 * request continues the same task after its question.
 */
export type AgentRequest = {
  readonly message_id: string;
  readonly task_id: string;
  readonly conversation_id: string;
  readonly query: string;
  readonly metadata: AgentMetadata;
  readonly reply?: AgentReply;
  /** The last `checkpoint` of the agent, if the work was interrupted after it. */
  readonly checkpoint?: string;
};

/** The answer of the user, with the state that the agent attached to its question. */
export type AgentReply = {
  readonly answer: QuestionAnswer;
  /** The agent's id of the task, if it sent one. */
  readonly remote_task_id?: string;
  readonly state?: string;
};

/**
 * The authors of the texts in a request: `query` is the query without the parts that others wrote, `person` lists other
 * texts of the person, `untrusted` those parts and the texts of others in the context. Without provenance, the query and
 * the context are the person's. Results of other tasks never are.
 */
export const provenanceSchema = z.object({
  query: z.string(),
  person: z.array(z.string()),
  untrusted: z.array(z.object({ source: z.string(), text: z.string(), ref: z.optional(z.string()) })),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** A lookup that the runtime asks an agent for: a read-only tool with its arguments. */
export const lookupSchema = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type Lookup = z.infer<typeof lookupSchema>;

/** The context that every task gets (F45, F88). */
export const agentMetadataSchema = z.object({
  user_id: z.optional(z.string()),
  user_profile: z.optional(z.record(z.string(), z.unknown())),
  current_context: z.optional(z.record(z.string(), z.unknown())),
  language: z.optional(z.string().check(z.overwrite(toCanonicalLanguageTag), z.refine(isLanguageTag))),
  timezone: z.optional(z.string().check(z.refine(isKnownTimeZone))),
  /** `read_only`: the agent must not change anything. The kit then offers only tools that are marked as read-only. */
  scope: z.optional(z.enum(["read_only"])),
  /** The agent only runs this tool, without a model, and completes. Only agents whose card has `checks` get it. */
  check: z.optional(lookupSchema),
  /**
   * The agent may (`wanted`) or must (`required`) state a criterion before it calls a tool with an effect (`criterion`
   * event).
   */
  criterion: z.optional(z.enum(["wanted", "required"])),
  /** Set for a run of a schedule, where possibly no user is present to answer questions. */
  schedule: z.optional(z.object({ schedule_id: z.string(), due_at: z.number() })),
  provenance: z.optional(provenanceSchema),
  /** The results of the tasks that this task depends on, oldest first. */
  dependencies: z.optional(
    z.array(z.object({ task_id: z.string(), title: z.string(), agent_name: z.string(), result: z.string() })),
  ),
});
export type AgentMetadata = z.infer<typeof agentMetadataSchema>;

/** Maximum length of an agent's state in UTF-16 units. It is stored in one row with the open question. */
export const MAX_AGENT_STATE_CHARS = 512 * 1024;

const totalUsageSchema = z.object({ model_calls: z.int(), input_tokens: z.int(), output_tokens: z.int() });

/**
 * An event of a working agent. `completed` and `failed` are last; a stream that ends without either counts as
 * completed. `input_required` ends the stream; the task continues with a new request after the answer.
 */
export const agentEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), remote_task_id: z.optional(z.string()) }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("notification"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string() }),
  z.object({
    type: z.literal("tool_started"),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.optional(z.string()),
  }),
  z.object({
    type: z.literal("tool_completed"),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.optional(z.string()),
    result: z.string(),
    /** `false`: the call was answered without running the tool. */
    ran: z.optional(z.literal(false)),
  }),
  z.object({
    type: z.literal("component"),
    component_type: z.string(),
    content: z.string(),
    component_id: z.optional(z.string()),
  }),
  /** The criterion of the agent's work, and the result of its tool before the work. */
  z.object({
    type: z.literal("criterion"),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    holds: z.string(),
    before: z.string(),
  }),
  z.object({ type: z.literal("usage"), usage: totalUsageSchema }),
  /** The progress of the work. After an interruption the next attempt starts with this state (T4). */
  z.object({ type: z.literal("checkpoint"), state: z.string().check(z.maxLength(MAX_AGENT_STATE_CHARS)) }),
  /** Retracts the output since the last checkpoint, or since the start. The agent will send it again. */
  z.object({ type: z.literal("retracted"), reason: z.string() }),
  z.object({
    type: z.literal("input_required"),
    prompt: z.string(),
    options: z.optional(z.array(z.string())),
    approval: z.optional(approvalSchema),
    /** State that the agent needs to continue. It is returned with the answer, so agents can be stateless. */
    state: z.optional(z.string().check(z.maxLength(MAX_AGENT_STATE_CHARS))),
  }),
  z.object({ type: z.literal("completed") }),
  z.object({ type: z.literal("failed"), reason: z.string(), code: z.optional(z.string()) }),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;
