// Stops a thread after every possible number of microtasks.

import { expect, test } from "vitest";
import type { Model } from "../../src/core/ports.ts";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import { foldPlans } from "../../src/protocol/plans/fold-plans.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import {
  call,
  getEvents,
  handoff,
  Memory,
  plan,
  runTestTurn,
  scriptAgents,
  scriptModel,
  task,
  type Script,
} from "../support/scripted-ports.ts";
import { pickByLength } from "../support/run-length.ts";

const FINAL_EVENTS: ReadonlySet<string> = new Set(["task_completed", "task_failed", "task_cancelled"]);

async function waitMicrotasks(ticks: number): Promise<void> {
  for (let remaining = ticks; remaining > 0; remaining -= 1) await Promise.resolve();
}

/** Triage, a question of the planner, two tasks of which one asks, their verification and the synthesis. */
function createSlowModel(): Model {
  const model = scriptModel({
    triage: [handoff({})],
    planner: [call("ask_user", { question: "How much?" }), plan(task("1", "worker"), task("2", "asking", ["1"]))],
    synthesis: [{ text: "All is done." }],
  });
  return {
    async complete(request, onDelta) {
      request.signal.throwIfAborted();
      await waitMicrotasks(3);
      request.signal.throwIfAborted();
      return model.complete(request, onDelta);
    },
  };
}

/** Runs the thread to its end and answers every question; stops it after `ticks` microtasks. */
async function runAndStop(ticks: number, by: "person" | "clock") {
  const stop = new AbortController();
  const memory = new Memory();
  const questions: string[] = [];
  const answered: string[] = [];
  const worker: Script = async function* ({ metadata }) {
    await Promise.resolve();
    if (metadata.scope === "read_only") yield { type: "tool_completed", call_id: "c", tool: "look", result: "there" };
    yield { type: "text", text: "done" };
  };
  const asking: Script = async function* (request, signal) {
    const { message_id, metadata, reply } = request;
    const isAction = metadata.scope === undefined;
    if (isAction) yield { type: "accepted", remote_task_id: message_id };
    if (isAction && reply === undefined) {
      questions.push(`asking/${message_id}`);
      yield { type: "input_required", prompt: "Which?" };
    }
    if (reply !== undefined) answered.push(`asking/${reply.remote_task_id}`);
    yield* worker(request, signal);
  };
  const doubles = { model: createSlowModel(), agents: scriptAgents({ worker, asking }) };
  const request = { message: "do both and check", verify: true };
  void waitMicrotasks(ticks).then(() => stop.abort(new StopReason(by, "Stopped.")));
  for (;;) {
    const result = await runTestTurn(doubles, "", { memory, turn: { request, signal: stop.signal } });
    const closed = [...answered, ...doubles.agents.dismissed];
    if (result.end.status !== "paused") return { ...result, questions, closed };
    memory.answerAll("20");
  }
}

test.each(["person", "clock"] as const)(
  "[T3] [T5] a thread ends once, with one final event per task and no waiting agent, whenever the %s stops it",
  async (by) => {
    const endStatuses = new Set<string>();
    for (let ticks = 0; ticks < 250; ticks += pickByLength(2, 1)) {
      const result = await runAndStop(ticks, by);
      const { memory, end, questions, closed } = result;
      const label = `after ${ticks} ticks`;
      const { sent } = memory;
      expect([sent.filter(({ event }) => event === "done").length, sent.at(-1)?.event], label).toEqual([1, "done"]);
      const [createdPlan] = sent.reduce<readonly Plan[]>((plans, frame) => foldPlans(plans, frame), []);
      const finalEvents = sent.flatMap(({ event, data }): string[] =>
        FINAL_EVENTS.has(event) && "task_id" in data && data.task_id !== undefined ? [data.task_id] : [],
      );
      expect(finalEvents.toSorted(), label).toEqual(
        (createdPlan?.tasks ?? []).map(({ task_id }) => task_id).toSorted(),
      );
      expect(closed.toSorted(), label).toEqual(questions.toSorted());
      const failures = getEvents(result, "system_failed").map(({ payload }) => payload.code);
      expect(failures, label).toEqual(end.status === "failed" ? ["time_exceeded"] : []);
      endStatuses.add(end.status);
    }
    expect(endStatuses).toEqual(new Set(by === "person" ? ["completed"] : ["completed", "failed"]));
  },
);
