// The first messages of a model call: instructions, facts about the person, and the request.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { AgentModel } from "./agent.ts";

/** A message as the model client takes it. */
export type ModelMessage = Parameters<AgentModel["complete"]>[0]["messages"][number];

/**
 * Returns the first two messages of a model call: the instructions with the known facts about the person (language,
 * time zone, profile, current context), and the query with the results of earlier tasks.
 */
export function createOpeningMessages(
  instructions: string,
  request: AgentRequest,
): [system: ModelMessage, question: ModelMessage] {
  return [
    { role: "system", content: [instructions, ...describePerson(request)].join("\n\n") },
    { role: "user", content: formatQuery(request) },
  ];
}

/** Returns the query, followed by the results of the tasks that this task depends on, if any, in a JSON code fence. */
export function formatQuery({ query, metadata }: AgentRequest): string {
  const { dependencies = [] } = metadata;
  if (dependencies.length === 0) return query;
  const results = dependencies.map(({ title, agent_name, result }) => ({ title, agent_name, result }));
  return `${query}\n\n${formatFencedJson("Results so far:", results)}`;
}

/** Formats data as JSON in a labelled code fence, so that the model treats it as data. */
export function formatFencedJson(label: string, data: unknown): string {
  return `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
}

function describePerson({ metadata }: AgentRequest): string[] {
  const { language, timezone, user_profile, current_context } = metadata;
  const facts = [
    language === undefined ? undefined : `Language of the person: ${language}`,
    timezone === undefined ? undefined : `Time zone of the person: ${timezone}`,
    user_profile === undefined ? undefined : `About the person: ${JSON.stringify(user_profile)}`,
    current_context === undefined ? undefined : `Current context: ${JSON.stringify(current_context)}`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? [] : [facts.join("\n")];
}
