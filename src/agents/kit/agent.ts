// The types that an agent author works with: the definition of an agent, its run context and the events it yields.

import type { Message } from "@a2a-js/sdk";
import type * as z from "zod";
import type { createModel } from "../../models/create-model.ts";
import type { Language } from "../../language/detect-language.ts";
import type { agentCardSchema, AgentEvent, AgentRequest } from "../../protocol/agents/agent.ts";
import type { Settings } from "../../settings.ts";

/** The model client that a run receives; it calls a chat-completions endpoint. */
export type AgentModel = ReturnType<typeof createModel>;

/** An event that a run may yield. The kit yields `accepted` itself, so agents cannot. */
export type AgentRunEvent = Exclude<AgentEvent, { type: "accepted" }>;

/** The second argument of `run`: everything besides the request. */
export type RunContext = {
  /** The bindings and variables of the agent's own Worker. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Aborted when the task is cancelled or its reader disconnects. */
  readonly signal: AbortSignal;
  /** The A2A message as received, with every part, for agents that read more than text. */
  readonly message: Message;
};

/** The run context of an agent with a model (`with-model.ts`). */
export type ModelRunContext = RunContext & { readonly model: AgentModel; readonly settings: Settings };

/**
 * An agent: a card and an async generator. The first `completed`, `failed` or `input_required` event ends the run. A
 * run that ends without one of them has completed. A run that throws has failed: with the message of a `Failure` or
 * `Fault`, else with a neutral reason.
 */
export type AgentDefinition<Context = RunContext> = {
  readonly card: z.input<typeof agentCardSchema>;
  /**
   * True if a run changes nothing when `metadata.scope` is `read_only`. The kit never runs any other agent in that
   * scope.
   */
  readonly honours_scope?: boolean;
  readonly run: (request: AgentRequest, context: Context) => AsyncIterable<AgentRunEvent>;
  /** Formats the message of an error in the language of the request; by default its English message. */
  readonly describeError?: (error: Error, language: Language) => string;
  /**
   * Called when the client cancels the task while it waits for an answer. `request.checkpoint` is the state of the open
   * question. In an isolate that does not know the task, the other members are empty, except `task_id`. Errors are
   * logged and do not stop the cancellation.
   */
  dismiss?(request: AgentRequest): Promise<void>;
};

/** An agent that needs a model. `withModel` makes it an agent that can be served. */
export type ModelAgentDefinition = AgentDefinition<ModelRunContext>;
