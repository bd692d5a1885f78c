// The first messages of a model call: instructions, facts about the person, and the request.

import type { AgentRequest } from "../../protocol/agent.ts";
import type { Model } from "./agent.ts";

/** A message as the model client takes it. */
export type ChatMessage = Parameters<Model["complete"]>[0]["messages"][number];

/** Returns the system message and the user message with which a tool agent starts. */
export function openingOf(instructions: string, request: AgentRequest): [system: ChatMessage, question: ChatMessage] {
  return [
    { role: "system", content: [instructions, ...aboutPerson(request)].join("\n\n") },
    { role: "user", content: questionOf(request) },
  ];
}

/** Returns the query, followed by the results of the tasks that this one depends on, in a fence. */
export function questionOf({ query, metadata }: AgentRequest): string {
  const { dependencies = [] } = metadata;
  if (dependencies.length === 0) return query;
  const found = dependencies.map(({ title, agent_name, result }) => ({ title, agent_name, result }));
  return `${query}\n\n${fence("Results so far:", found)}`;
}

/** Formats data as JSON in a labelled code fence, so that the model treats it as data. */
export function fence(label: string, data: unknown): string {
  return `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
}

/** Lists the known facts about the person in one paragraph; empty if there are none. */
function aboutPerson({ metadata }: AgentRequest): string[] {
  const { language, timezone, user_profile, current_context } = metadata;
  const facts = [
    language === undefined ? undefined : `Language of the person: ${language}`,
    timezone === undefined ? undefined : `Time zone of the person: ${timezone}`,
    user_profile === undefined ? undefined : `About the person: ${JSON.stringify(user_profile)}`,
    current_context === undefined ? undefined : `Current context: ${JSON.stringify(current_context)}`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? [] : [facts.join("\n")];
}
