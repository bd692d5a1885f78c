// Somebody who asks back: a planner and an agent elsewhere.

import { handoff, planOf, type Reply } from "./model-reply.ts";
import type { ModelServer } from "./model-server.ts";

/** Asks for a city, and after it once more when the query says so. */
export async function* curiously(query: string, _stop: AbortSignal, answer: string | null) {
  if (answer === null) {
    yield "I can do that. ";
    yield { ask: "Which city?" };
    return;
  }
  if (query.includes("twice") && answer !== "sure") {
    yield { ask: `Are you sure of ${answer}?` };
    return;
  }
  yield `It is fine with ${answer}.`;
}

export const ask = (question: string, options?: readonly string[]): Reply => ({
  calls: [{ name: "ask_user", arguments: { question, ...(options === undefined ? {} : { options }) } }],
});

/** A message whose planner asks all of these, and then plans one part. */
export function askingWith(model: ModelServer, ...questions: readonly string[]): { mark: string; message: string } {
  const work = model.act({ "agent:assistant": { text: "It is paid." } });
  const planner = [...questions.map((question) => ask(question, ["10", "20"])), planOf({ query: `Pay ${work}` })];
  const mark = model.act({ triage: handoff("needs_planning"), planner });
  return { mark, message: `Pay the bill ${mark}` };
}

export function plannedWith(model: ModelServer, ...agents: readonly string[]): string {
  const work = model.act({ "agent:assistant": { text: "Done." } });
  const parts = agents.map((agent) => ({ agent, query: `Work ${agent} ${work}` }));
  const mark = model.act({ triage: handoff("needs_planning"), planner: planOf(...parts), synthesis: { text: "All." } });
  return `Please ${mark}`;
}
