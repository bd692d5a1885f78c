// The last word on a plan of several tasks: one streamed answer that uses the results literally.

import { SUPER_AGENT } from "../protocol/events.ts";
import { converse, correction, restarting, type Reading, type Tail, type Talk } from "./converse.ts";
import type { EndedTask } from "./executor.ts";
import { SYNTHESIS_PROMPT, synthesisRequest, type ResultLine } from "./prompts.ts";
import { stage } from "./stage.ts";
import { stageScope, type Scene } from "./scene.ts";
import { Voice } from "./voice.ts";

/** Streams the answer. Rejects with a `ModelFault` or `BudgetExceeded`. */
export function synthesize(scene: Scene, ended: readonly EndedTask[]): Promise<null> {
  const { ports, threadId, request } = scene;
  const place = { thread_id: threadId, task_id: stageScope(threadId, "synthesis"), agent_name: SUPER_AGENT };
  const step = { name: "synthesis", scope: place.task_id, agentName: SUPER_AGENT };
  return stage<null, Tail>(scene, step, async (emit, budget, memo) => {
    // Not before the step: what an interrupted one had said is to be taken back first.
    scene.signal.throwIfAborted();
    const voice = new Voice(place, emit);
    const restart = restarting(emit, place);
    const talk: Talk = {
      model: ports.model,
      budget,
      role: "synthesis",
      messages: [
        { role: "system", content: SYNTHESIS_PROMPT },
        { role: "user", content: synthesisRequest(request.message, ended.map(lineOf)) },
      ],
      tools: [],
      signal: scene.signal,
      hear: voice.hear,
      restart: (attempt) => {
        voice.restart();
        restart(attempt);
      },
    };
    await converse(talk, memo, ({ text, toolCalls }): Reading<null> =>
      text.trim() === "" ? correction(toolCalls, "Answer in words.") : { kind: "outcome", value: null },
    );
    return { value: null, closing: voice.end() };
  });
}

function lineOf(ended: EndedTask): ResultLine {
  const { title, agent_name } = ended.task;
  if (ended.status === "completed" || ended.status === "scheduled")
    return { title, agent_name, status: ended.status, result: ended.result };
  return { title, agent_name, status: ended.status, error: ended.error };
}
