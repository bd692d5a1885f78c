// Threads that are stopped at any moment.

import { expect, test } from "vitest";
import type { Model } from "../../src/core/ports.ts";
import { StopReason } from "../../src/core/stop-reason.ts";
import { foldPlans } from "../../src/protocol/plans/fold-plans.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import {
  call,
  eventsOf,
  handoff,
  Memory,
  plan,
  play,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../support/scripted.ts";

const LAST_WORDS: ReadonlySet<string> = new Set(["task_completed", "task_failed", "task_cancelled"]);

async function passing(ticks: number): Promise<void> {
  for (let left = ticks; left > 0; left -= 1) await Promise.resolve();
}

/** Triage, a question of the planner, two tasks of which one asks, their verification and the summary. */
function patientModel(): Model {
  const model = scriptedModel({
    triage: [handoff({})],
    planner: [call("ask_user", { question: "How much?" }), plan(task("1", "worker"), task("2", "asking", ["1"]))],
    synthesis: [{ text: "All is done." }],
  });
  return {
    async complete(request, hear) {
      request.signal.throwIfAborted();
      await passing(3);
      request.signal.throwIfAborted();
      return model.complete(request, hear);
    },
  };
}

/** Plays it, with an answer to every question, until it ends; it is stopped after so many ticks. */
async function stoppedAfter(ticks: number, by: "person" | "clock") {
  const stop = new AbortController();
  const memory = new Memory();
  const asked: string[] = [];
  const heard: string[] = [];
  const worker: Script = async function* ({ metadata }) {
    await Promise.resolve();
    if (metadata.scope === "read_only") yield { type: "tool_completed", call_id: "c", tool: "look", result: "there" };
    yield { type: "text", text: "done" };
  };
  const asking: Script = async function* (request, signal) {
    const { message_id, metadata, reply } = request;
    const isAct = metadata.scope === undefined;
    if (isAct) yield { type: "accepted", remote_task_id: message_id };
    if (isAct && reply === undefined) {
      asked.push(`asking/${message_id}`);
      yield { type: "input_required", prompt: "Which?" };
    }
    if (reply !== undefined) heard.push(`asking/${reply.remote_task_id}`);
    yield* worker(request, signal);
  };
  const world = { model: patientModel(), agents: scriptedAgents({ worker, asking }) };
  const request = { message: "do both and check", verify: true };
  void passing(ticks).then(() => stop.abort(new StopReason(by, "Stopped.")));
  for (;;) {
    const played = await play(world, "", { memory, turn: { request, signal: stop.signal } });
    const settled = [...heard, ...world.agents.dismissed];
    if (played.end.status !== "paused") return { ...played, asked, settled };
    for (const { request_id } of memory.open()) {
      memory.settle(request_id, { state: "answered", answer: { message: "20" } });
    }
  }
}

test.each(["person", "clock"] as const)(
  "[T3] [T5] whenever the %s stops it, it ends once, with one last word of each task, and no agent waits",
  async (by) => {
    const ways = new Set<string>();
    for (let ticks = 0; ticks < 250; ticks += 1) {
      const played = await stoppedAfter(ticks, by);
      const { memory, end, asked, settled } = played;
      const when = `after ${ticks} ticks`;
      const { sent } = memory;
      expect([sent.filter(({ event }) => event === "done").length, sent.at(-1)?.event], when).toEqual([1, "done"]);
      const [made] = sent.reduce<readonly Plan[]>((plans, frame) => foldPlans(plans, frame), []);
      const told = sent.flatMap(({ event, data }): string[] =>
        LAST_WORDS.has(event) && "task_id" in data && data.task_id !== undefined ? [data.task_id] : [],
      );
      expect(told.toSorted(), when).toEqual((made?.tasks ?? []).map(({ task_id }) => task_id).toSorted());
      expect(settled.toSorted(), when).toEqual(asked.toSorted());
      const failures = eventsOf(played, "system_failed").map(({ payload }) => payload.code);
      expect(failures, when).toEqual(end.status === "failed" ? ["time_exceeded"] : []);
      ways.add(end.status);
    }
    expect(ways).toEqual(new Set(by === "person" ? ["completed"] : ["completed", "failed"]));
  },
);
