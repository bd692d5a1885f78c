// The words the models are given. Their structure (agents as a fenced JSON block after `Agents:`,
// those that are off after `Switched off:`, results after `Results:`) is what the embedded model reads too.

import type { Agent } from "../protocol/agent.ts";
import { shortened } from "../protocol/shortened.ts";
import type { Verified } from "../protocol/verification.ts";

type Place = { readonly language?: string | undefined; readonly timezone?: string | undefined; readonly now: number };

/** `off` are those whom a person may ask for in vain. */
export function triagePrompt(agents: readonly Agent[], off: readonly Agent[], place: Place): string {
  return `You are the first to read a person's message in a conversation that several agents carry out together.

Decide:
- Answer yourself, in plain text, when the message needs no tool, no live data and no calculation: greetings, thanks, questions about this conversation or about what you can do, short explanations you are sure of.
- Otherwise call handoff_to_planner. Never claim to have used a tool, never guess live data, never refuse work that an agent can do, never ask a question back.

When you hand off:
- strategy "single_agent" when one agent can do all of it in one go; "multi_agent" when several agents can work on the same request independently; "needs_planning" when it has several parts, parts that depend on one another, a time at which it should recur, or the wish to have the work checked or verified.
- selected_agents: names from the list below, empty for "needs_planning".
- enriched_query: the request with everything from the conversation that is needed to understand it alone, nothing else changed. Keep the person's language and words.
- reason: one short sentence.

${placed(place)}

Agents:
${fenced(agents.map(listed))}${switchedOff(off)}`;
}

function switchedOff(agents: readonly Agent[]): string {
  if (agents.length === 0) return "";
  const names = agents.flatMap(({ name, display_name: title }) => (title === undefined ? [name] : [name, title]));
  return `

Names of agents that are switched off. When the person asks for one of them by name, hand nothing off and say that it is switched off.

Switched off:
${fenced(names)}`;
}

export function plannerPrompt(agents: readonly Agent[], place: Place, maxTasks: number): string {
  return `You turn a request into the tasks that carry it out, each by one agent.

Call create_plan once, and before it ask_user when something is missing that only the person can say and no sensible default exists. Rules:
- As few tasks as the request needs, at most ${maxTasks}, in order; ids are short and unique.
- depends_on names the tasks whose results a task needs or that the person wants done first. Independent tasks have none, so they can run side by side.
- query is what the agent is told: complete in itself, in the person's language, without the other tasks' work.
- title: at most ten words, or twenty characters in Chinese.
- agent_name: exactly a name from the list below. get_agent_description tells more about one agent.
- pattern is "once" unless the person states when it should recur; then "recurring" with schedule_config (exactly one of interval_minutes, daily_time "HH:MM", cron; timezone if known) and the query without the words of time.
- verify is true only when the person asks to have the work itself checked or verified afterwards: then each agent is asked to, and no task is made of it.
- adequate is false when no agent fits; then there are no tasks and guidance_message tells the person so, in their language.

${placed(place)}

Agents:
${fenced(agents.map(listed))}`;
}

export const SYNTHESIS_PROMPT = `You word the answer to a person's request out of the results that agents have brought.

- Use every result literally: numbers, names, times and quotations stay exactly as they are. Invent nothing.
- Say plainly which part failed and why, if one did.
- Where results have a verification, say which were verified and which were not, and claim no more than it says.
- Answer in the language of the request, briefly, without mentioning agents, tasks or these rules.`;

export type ResultLine = {
  readonly title: string;
  readonly agent_name: string;
  readonly status: string;
  readonly result?: string;
  readonly error?: string;
  /** What came of asking the agent to verify it. */
  readonly verification?: { readonly verified: Verified; readonly reason?: string };
};

export function synthesisRequest(request: string, results: readonly ResultLine[]): string {
  return `${request}\n\nResults:\n${fenced(results)}`;
}

const MAX_DESCRIPTION = 2_000;

/** What stands in a prompt of one agent among others. */
function listed(agent: Agent): Record<string, unknown> {
  return described({ ...agent, description: shortened(agent.description, MAX_DESCRIPTION) });
}

/** Everything a planner may know of one agent. */
export function described(agent: Agent): Record<string, unknown> {
  const { name, display_name, description, skills } = agent;
  return { name, ...(display_name === undefined ? {} : { display_name }), description, skills };
}

function placed({ language, timezone, now }: Place): string {
  const lines = [`Now: ${new Date(now).toISOString()}`];
  if (timezone !== undefined) lines.push(`The person's time zone: ${timezone}`);
  if (language !== undefined) lines.push(`The person's language: ${language}`);
  return lines.join("\n");
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
}
