import type { Message } from "@a2a-js/sdk";
import type * as z from "zod";
import type { createModel } from "../../models/model.ts";
import type { agentCardSchema, AgentEvent, AgentRequest } from "../../protocol/agent.ts";
import type { Settings } from "../../settings.ts";

export type Model = ReturnType<typeof createModel>;

/** What an agent says. That it accepted the work, the kit says for it. */
export type Said = Exclude<AgentEvent, { type: "accepted" }>;

/** What an agent is given besides the request. */
export type RunContext = {
  /** Made on first use, so that an agent without a model needs no settings for one. */
  readonly model: Model;
  readonly settings: Settings;
  /** The bindings and variables of the agent's own Worker. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Aborted when the task is cancelled or its reader has gone. */
  readonly signal: AbortSignal;
  /** The A2A message as it came, with every part, for agents that read more than text. */
  readonly message: Message;
};

/**
 * An agent is a card and an async generator. A run that ends without `completed`, `failed` or
 * `input_required` has completed; throwing is the same as yielding `failed`, with a neutral reason.
 */
export type AgentDefinition = {
  readonly card: z.input<typeof agentCardSchema>;
  /** It changes nothing when `metadata.scope` is `read_only`. Any other agent is not run in that scope. */
  readonly honours_scope?: boolean;
  run(request: AgentRequest, context: RunContext): AsyncIterable<Said>;
  /** Nobody will answer its question any more. What it had left with it is `request.checkpoint`. */
  dismiss?(request: AgentRequest): Promise<void>;
};
