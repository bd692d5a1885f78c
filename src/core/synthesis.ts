// The synthesis, the last stage of a plan with several tasks: one streamed answer from the task results.

import { SUPER_AGENT } from "../protocol/events.ts";
import { shortened } from "../protocol/shortened.ts";
import type { Verification } from "../protocol/verification.ts";
import { converse, correction, restarting, type Reading, type Tail, type Talk } from "./converse.ts";
import type { EndedTask } from "./executor.ts";
import { SYNTHESIS_PROMPT, synthesisRequest, type ResultLine } from "./prompts.ts";
import { stage } from "./stage.ts";
import { stageScope, type Scene } from "./scene.ts";
import { Voice } from "./voice.ts";

/**
 * Streams the answer as the step `synthesis`. Resolves with null after the answer is published. Rejects with a
 * `ModelFault`, with `BudgetExceeded`, or with the signal's reason.
 */
export function synthesize(
  scene: Scene,
  ended: readonly EndedTask[],
  verification: Verification | null = null,
): Promise<null> {
  const { ports, threadId, request } = scene;
  const place = { thread_id: threadId, task_id: stageScope(threadId, "synthesis"), agent_name: SUPER_AGENT };
  const step = { name: "synthesis", scope: place.task_id, agentName: SUPER_AGENT };
  return stage<null, Tail>(scene, step, async (emit, budget, memo) => {
    // Check inside the step: the step first retracts the output of an interrupted run.
    scene.signal.throwIfAborted();
    const voice = new Voice(place, emit);
    const restart = restarting(emit, place);
    const talk: Talk = {
      model: ports.model,
      budget,
      role: "synthesis",
      messages: [
        { role: "system", content: SYNTHESIS_PROMPT },
        {
          role: "user",
          content: synthesisRequest(
            request.message,
            ended.map((task) => lineOf(task, verification, Math.floor(MAX_RESULTS / ended.length))),
          ),
        },
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
    return { value: null, closing: voice.end(), isLast: true };
  });
}

/** The maximum length of all results in characters, to fit the model's context. Readers have the full results. */
const MAX_RESULTS = 100_000;

/** Returns the entry of one task in the synthesis request, with its result or error truncated to `maxChars`. */
function lineOf(ended: EndedTask, verification: Verification | null, most: number): ResultLine {
  const { title, agent_name, task_id } = ended.task;
  const base = { title, agent_name, status: ended.status };
  if (ended.status !== "completed" && ended.status !== "scheduled") {
    return { ...base, error: shortened(ended.error, most) };
  }
  const result = shortened(ended.result, most);
  const entry = verification?.checklist.find((checked) => checked.task_id === task_id);
  if (entry === undefined) return { ...base, result };
  const { verified, reason } = entry;
  return { ...base, result, verification: { verified, ...(reason === undefined ? {} : { reason }) } };
}
