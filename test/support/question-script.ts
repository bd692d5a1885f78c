// Scripts for a planner and a remote agent that ask questions.

import { createHandoffReply, createPlanReply, type ModelReply } from "./model-reply.ts";
import type { ModelServer } from "./model-server.ts";

/** An agent that asks for a city, and a second time if the query contains "twice". */
export async function* askForCity(query: string, _stop: AbortSignal, answer: string | null) {
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

export const createQuestionReply = (question: string, options?: readonly string[]): ModelReply => ({
  calls: [{ name: "ask_user", arguments: { question, ...(options === undefined ? {} : { options }) } }],
});

/** Returns a message whose planner asks all `questions` and then plans one task. */
export function scriptPlannerQuestions(
  model: ModelServer,
  ...questions: readonly string[]
): { mark: string; message: string } {
  const work = model.addScript({ "agent:assistant": { text: "It is paid." } });
  const planner = [
    ...questions.map((question) => createQuestionReply(question, ["10", "20"])),
    createPlanReply({ query: `Pay ${work}` }),
  ];
  const mark = model.addScript({ triage: createHandoffReply("needs_planning"), planner });
  return { mark, message: `Pay the bill ${mark}` };
}

export function scriptAgentPlan(model: ModelServer, ...agents: readonly string[]): string {
  const work = model.addScript({ "agent:assistant": { text: "Done." } });
  const parts = agents.map((agent) => ({ agent, query: `Work ${agent} ${work}` }));
  const mark = model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply(...parts),
    synthesis: { text: "All." },
  });
  return `Please ${mark}`;
}
