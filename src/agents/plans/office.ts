// What the agent of a plan works with: one plan, for one person, and the runtime that carries it out.

import type { AgentRequest } from "../../protocol/agent.ts";
import type { PlanTemplate } from "../../protocol/plan-template.ts";
import type { PlansApi } from "../../protocol/plans-api.ts";
import { languageOf, type Language } from "../../protocol/words/language.ts";
import type { RunContext } from "../kit/agent.ts";
import { Allowance, DEFAULT_LIMITS } from "../kit/limits.ts";
import { openingOf, type ChatMessage } from "../kit/prompt.ts";

export type Owner = { readonly userId: string; readonly template: PlanTemplate; readonly api: PlansApi };

export type Office = Owner & {
  readonly request: AgentRequest;
  readonly signal: AbortSignal;
  readonly model: RunContext["model"];
  readonly role: string;
  readonly system: ChatMessage;
  readonly used: Allowance;
  readonly language: Language;
  /** How long it may say nothing without being taken for dead, in milliseconds. */
  readonly patience: number;
  /** When following has to end, in milliseconds since the epoch: nobody listens longer to an agent. */
  readonly until: number;
};

const INSTRUCTIONS = `You start a process for a person. Call start_plan with the values that the request states for its subject.
Take every value literally from the person's words or the current context; leave out what is not stated, and invent nothing.`;

/** Of the time that the runtime listens: the rest is for the last words. */
const SHARE = 0.9;

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

/** Names what is asked for once, whatever interrupts it: a run of a schedule has the message of the run before. */
export function commandFor({ request }: Office, what: string): string {
  const { message_id, metadata } = request;
  return `plan-agent/${what}/${message_id}/${metadata.schedule?.due_at ?? ""}`.slice(0, 128);
}
