// The first messages of a model call: instructions, facts about the person, and the request.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { formatUntrusted, UNTRUSTED_RULE } from "../../protocol/provenance/untrusted-block.ts";
import type { AgentModel } from "./agent.ts";

/** A message as the model client takes it. */
export type ModelMessage = Parameters<AgentModel["complete"]>[0]["messages"][number];

/**
 * Returns the first two messages of a model call: the instructions with the rule about untrusted text and the known
 * facts about the person (language, time zone, profile), and the query with its context.
 */
export function createOpeningMessages(
  instructions: string,
  request: AgentRequest,
): [system: ModelMessage, question: ModelMessage] {
  return [
    { role: "system", content: [instructions, UNTRUSTED_RULE, ...describePerson(request)].join("\n\n") },
    { role: "user", content: formatQuery(request) },
  ];
}

/** Returns the query with its context. */
export function formatQuery(request: AgentRequest): string {
  return [request.query, ...formatRequestContext(request)].join("\n\n");
}

/**
 * Returns what the request contains besides the query, as untrusted blocks: the current context, and the results of the
 * tasks that this task depends on. Empty if there is neither.
 */
export function formatRequestContext({ metadata }: AgentRequest): string[] {
  const { current_context: context = {}, dependencies = [] } = metadata;
  const results = dependencies.map(({ title, agent_name, result }) => ({ title, agent_name, result }));
  return [
    ...(Object.keys(context).length === 0 ? [] : [formatUntrusted(CONTEXT_SOURCE, context)]),
    ...(results.length === 0 ? [] : [formatUntrusted(RESULTS_SOURCE, results)]),
  ];
}

/** The sources of the blocks, as a model sees them. */
const CONTEXT_SOURCE = "Current context";
const RESULTS_SOURCE = "Results so far";

/** Formats a text of the person, or of this agent, as JSON in a labelled code fence. */
export function formatFencedJson(label: string, data: unknown): string {
  return `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
}

function describePerson({ metadata }: AgentRequest): string[] {
  const { language, timezone, user_profile } = metadata;
  const facts = [
    language === undefined ? undefined : `Language of the person: ${language}`,
    timezone === undefined ? undefined : `Time zone of the person: ${timezone}`,
    user_profile === undefined ? undefined : `About the person: ${JSON.stringify(user_profile)}`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? [] : [facts.join("\n")];
}
