import type { AgentRequest } from "../../protocol/agent.ts";
import type { Model } from "./agent.ts";

export type ChatMessage = Parameters<Model["complete"]>[0]["messages"][number];

/** The messages a tool agent starts from: its instructions, who it works for, and the request. */
export function openingOf(instructions: string, request: AgentRequest): [system: ChatMessage, question: ChatMessage] {
  return [
    { role: "system", content: [instructions, ...aboutPerson(request)].join("\n\n") },
    { role: "user", content: questionOf(request) },
  ];
}

/** The query and, fenced so that it stays data, what the tasks before this one found. */
export function questionOf({ query, metadata }: AgentRequest): string {
  const { dependencies = [] } = metadata;
  if (dependencies.length === 0) return query;
  const found = dependencies.map(({ title, agent_name, result }) => ({ title, agent_name, result }));
  return `${query}\n\n${fence("Results so far:", found)}`;
}

/** Data under a label and in a fence, so that it stays data. */
export function fence(label: string, data: unknown): string {
  return `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
}

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
