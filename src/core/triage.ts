// Triage, the first stage of a message: one streamed model call answers directly or hands off to agents.
// The plain text of the call is the answer and reaches readers from the first token.

import * as z from "zod";
import { SUPER_AGENT, strategySchema, type Triage } from "../protocol/events.ts";
import { argumentsOf, converse, correction, restarting, toolSpec, type Reading, type Tail, type Talk } from "./converse.ts";
import { isPlannable } from "./plan-rules.ts";
import type { Completion } from "./ports.ts";
import { triagePrompt } from "./prompts.ts";
import { stage } from "./stage.ts";
import { stageScope, type Scene } from "./scene.ts";
import { Voice } from "./voice.ts";

const handoffSchema = z.object({
  strategy: strategySchema.exclude(["direct_response"]),
  selected_agents: z.array(z.string()).default([]),
  enriched_query: z.string().default(""),
  reason: z.string().default(""),
});

/** The only tool of triage. Its name is part of the interface to models. */
const HANDOFF = toolSpec("handoff_to_planner", "Hands the request to the agents that can carry it out.", handoffSchema);

/**
 * Runs triage as the step `triage` and returns its decision. If the decision is `answer`, the answer has been published
 * when the promise resolves. Rejects with a `ModelFault` or `BudgetExceeded`.
 */
export async function triage(scene: Scene): Promise<Triage> {
  const { ports, threadId, request } = scene;
  const place = { thread_id: threadId, task_id: stageScope(threadId, "triage"), agent_name: SUPER_AGENT };
  const off = scene.agents.filter(({ enabled, hidden }) => !enabled && !hidden);
  const system = triagePrompt(scene.agents.filter(isPlannable), off, { ...request, now: ports.now() });
  const step = { name: "triage", scope: place.task_id, agentName: SUPER_AGENT };
  return stage<Triage, Tail>(scene, step, async (emit, budget, memo) => {
    const voice = new Voice(place, emit);
    const restart = restarting(emit, place);
    voice.think();
    const talk: Talk = {
      model: ports.model,
      budget,
      role: "triage",
      messages: [
        { role: "system", content: system },
        ...scene.history(),
        { role: "user", content: request.message },
      ],
      tools: [HANDOFF],
      signal: scene.signal,
      mayBeSilent: true,
      hear: voice.hear,
      restart: (attempt: number) => {
        voice.restart();
        restart(attempt);
        voice.think();
      },
    };
    const outcome = await converse(talk, memo, (completion) => readTriage(completion, request.message));
    return {
      value: outcome,
      closing: [...voice.end(), { event: "triage_completed", data: { ...place, role: "agent", payload: outcome } }],
      isLast: outcome.decision === "answer",
    };
  });
}

/** Parses the decision of a completion. An empty completion is a handoff with the person's own words (F11). */
function readTriage({ text, toolCalls }: Completion, message: string): Reading<Triage> {
  const [call] = toolCalls;
  if (call === undefined) {
    return { kind: "outcome", value: text.trim() === "" ? handoff("needs_planning", [], message, "") : ANSWER };
  }
  if (call.name !== HANDOFF.name) return correction(toolCalls, `There is no tool ${call.name}; use ${HANDOFF.name}.`);
  const read = argumentsOf(handoffSchema, call);
  if ("mistake" in read) return correction(toolCalls, read.mistake);
  const { strategy, enriched_query: enriched, reason } = read.value;
  const selected = [...new Set(read.value.selected_agents)];
  const settled = selected.length === 0 ? "needs_planning" : strategy;
  return { kind: "outcome", value: handoff(settled, selected, enriched.trim() === "" ? message : enriched, reason) };
}

/** The decision of a completion that contains text and no call. */
const ANSWER: Triage = { decision: "answer", strategy: "direct_response", reason: "", selected_agents: [] };

function handoff(strategy: Triage["strategy"], selected: string[], query: string, reason: string): Triage {
  return { decision: "handoff_to_planner", strategy, reason, selected_agents: selected, enriched_query: query };
}
