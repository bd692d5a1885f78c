// The context of one run of a plan agent: the template, its owner, the runtime's API and the request.

import type { AgentRequest } from "../../protocol/agent.ts";
import type { PlanTemplate } from "../../protocol/plan-template.ts";
import type { PlansApi } from "../../protocol/plans-api.ts";
import { languageOf, type Language } from "../../protocol/words/language.ts";
import type { RunContext } from "../kit/agent.ts";
import { Allowance, DEFAULT_LIMITS } from "../kit/limits.ts";
import { openingOf, type ChatMessage } from "../kit/prompt.ts";

/** A released template, the user who owns it, and the API that runs it. */
export type Owner = { readonly userId: string; readonly template: PlanTemplate; readonly api: PlansApi };

/** The context of one run. */
export type Office = Owner & {
  readonly request: AgentRequest;
  readonly signal: AbortSignal;
  readonly model: RunContext["model"];
  readonly role: string;
  readonly system: ChatMessage;
  readonly used: Allowance;
  readonly language: Language;
  /** Maximum milliseconds without an event: a third of the silence that the runtime tolerates. */
  readonly patience: number;
  /** The time at which following ends, in epoch milliseconds. */
  readonly until: number;
};

const INSTRUCTIONS = `You start a process for a person. Call start_plan with the values that the request states for its subject.
Take every value literally from the person's words or the current context; leave out what is not stated, and invent nothing.`;

/** The share of the agent timeout that following may use; the rest is for the final events. */
const SHARE = 0.9;

/** Creates the context of a run. The deadline counts from now. */
export function officeFor(owner: Owner, request: AgentRequest, { model, signal, settings }: RunContext): Office {
  const { plan_id, name, description } = owner.template;
  const [system] = openingOf(`${INSTRUCTIONS}\n\nThe process: ${name}. ${description}`.trim(), request);
  return {
    ...owner,
    request,
    signal,
    model,
    role: `agent:${plan_id}`,
    system,
    used: new Allowance(DEFAULT_LIMITS),
    language: languageOf(request.query, request.metadata.language),
    patience: (settings.AGENT_IDLE_SECONDS * 1000) / 3,
    until: Date.now() + settings.AGENT_TIMEOUT_SECONDS * 1000 * SHARE,
  };
}

/**
 * Returns a command id, which makes an action idempotent across crashes. Runs of a schedule share the message id, so
 * the due time is part of the id. At most 128 characters.
 */
export function commandFor({ request }: Office, what: string): string {
  const { message_id, metadata } = request;
  return `plan-agent/${what}/${message_id}/${metadata.schedule?.due_at ?? ""}`.slice(0, 128);
}
