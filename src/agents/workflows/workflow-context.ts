// The context of one run of a plan agent: the template, its owner, the runtime's API and the request.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { type WorkflowTemplate, workflowTaskContextSchema } from "../../protocol/workflows/workflow-template.ts";
import type { WorkflowRuntimeApi } from "../../protocol/workflows/workflow-rpc.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import type { ModelRunContext } from "../kit/agent.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../kit/agent-limits.ts";
import { withRetry } from "../../lib/retry.ts";
import { toFault, type FaultCode } from "../../protocol/wire/fault.ts";
import { unwrapResult, type RpcResult } from "../../protocol/wire/rpc-result.ts";
import { createOpeningMessages, type ModelMessage } from "../kit/agent-prompt.ts";
import * as z from "zod";

/** A released template, the user who owns it, and the API that runs it. */
export type WorkflowOwner = {
  readonly userId: string;
  readonly template: WorkflowTemplate;
  readonly api: WorkflowRuntimeApi;
};

/** The context of one run. */
export type WorkflowRunContext = WorkflowOwner & {
  readonly request: AgentRequest;
  readonly signal: AbortSignal;
  readonly model: ModelRunContext["model"];
  readonly role: string;
  readonly system: ModelMessage;
  readonly budget: AgentBudget;
  readonly language: Language;
  /** Maximum milliseconds without an event: a third of the silence that the runtime tolerates. */
  readonly keepaliveMs: number;
  /** The time at which following ends, in epoch milliseconds. */
  readonly deadline: number;
};

const INSTRUCTIONS = `You start a process for a person. Call start_plan with the values that the request states for its subject.
Take every value literally from the person's words or the current context; leave out what is not stated, and invent nothing.`;

/** The share of the agent timeout that following may use; the rest is for the final events. */
const FOLLOW_SHARE = 0.9;

/** Creates the context of a run, with a new budget of `DEFAULT_LIMITS`. The deadline counts from now. */
export function createRunContext(
  owner: WorkflowOwner,
  request: AgentRequest,
  { model, signal, settings }: ModelRunContext,
): WorkflowRunContext {
  const { plan_id, name, description } = owner.template;
  const [system] = createOpeningMessages(`${INSTRUCTIONS}\n\nThe process: ${name}. ${description}`.trim(), request);
  return {
    ...owner,
    request,
    signal,
    model,
    role: `agent:${plan_id}`,
    system,
    budget: new AgentBudget(DEFAULT_LIMITS),
    language: detectLanguage(request.query, request.metadata.language),
    keepaliveMs: (settings.AGENT_IDLE_SECONDS * 1000) / 3,
    deadline: Date.now() + settings.AGENT_TIMEOUT_SECONDS * 1000 * FOLLOW_SHARE,
  };
}

/**
 * Returns the command id of an action, such as `start`: the same in a repeated run, so that the action happens once.
 * Runs of a schedule share the message id, so the due time is part of the id. Cut to 128 characters.
 */
export function createCommandId({ request }: WorkflowRunContext, action: string): string {
  const { message_id, metadata } = request;
  return `plan-agent/${action}/${message_id}/${metadata.schedule?.due_at ?? ""}`.slice(0, 128);
}

/** Failures of the runtime that may be temporary: its host may be reset and comes back with everything it stored. */
const TRANSIENT_CODES: ReadonlySet<FaultCode> = new Set(["internal", "unavailable", "too_many_requests"]);
const MAX_ATTEMPTS = 10;
const RETRY_PAUSE_MS = 500;

/**
 * Sends a request to the runtime and returns its value. Repeats it every 500 ms after a failure that may be temporary,
 * at most ten attempts in all or until the signal aborts; then throws its `Fault`. The request must be safe to repeat:
 * it changes nothing, or is a command whose id is executed once.
 */
export function requestRuntime<T>(
  { signal }: Pick<WorkflowRunContext, "signal">,
  send: () => Promise<RpcResult<T>>,
): Promise<T> {
  return withRetry(
    () => send().then(unwrapResult),
    (thrown, attempt) => {
      const fault = toFault(thrown);
      if (!TRANSIENT_CODES.has(fault.code) || attempt >= MAX_ATTEMPTS || signal.aborted) throw fault;
      return RETRY_PAUSE_MS;
    },
  );
}

/** The ids of a running instance, and the sequence number of the last event that this agent has read. */
const positionSchema = z.object({
  plan_instance_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  after: z.int(),
});
export type InstancePosition = z.infer<typeof positionSchema>;

/** The state: while it asks for values or for approval of them, follows an instance, or has passed on a question. */
export const workflowStateSchema = z.discriminatedUnion("at", [
  z.object({ at: z.literal("approval"), context: workflowTaskContextSchema }),
  z.object({ at: z.literal("values"), context: workflowTaskContextSchema, missing: z.array(z.string()) }),
  z.object({ at: z.literal("instance"), place: positionSchema }),
  z.object({
    at: z.literal("question"),
    place: positionSchema,
    request_id: z.string(),
    /** True if this question holds the instance. `missing` lists the values that the instance lacks. */
    held: z.boolean(),
    missing: z.array(z.object({ task_id: z.string(), name: z.string() })),
  }),
]);
export type WorkflowAgentState = z.infer<typeof workflowStateSchema>;
