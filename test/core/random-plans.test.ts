// Random plans whose tasks end in every possible way, while the user answers, is late, cancels tasks or cancels the
// thread.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import { isFinalTaskStatus } from "../../src/protocol/plans/task-plan.ts";
import { foldPlans } from "../../src/protocol/plans/fold-plans.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import {
  handoff,
  Memory,
  plan,
  runTestTurn,
  scriptAgents,
  scriptModel,
  task,
  type Script,
  LIMITS,
} from "../support/scripted-ports.ts";
import { pickByLength } from "../support/run-length.ts";

const MAX_TASKS = 8;
const FATES = ["says", "fails", "throws", "asks", "asks twice", "mute", "stops itself", "stops all"] as const;
type Fate = (typeof FATES)[number];
const ANSWERS = ["answered", "expired", "cancelled"] as const;

const randomPlan = fc.record({
  tasks: fc.array(
    fc.record({
      fate: fc.constantFrom<Fate>("says", "says", ...FATES),
      needs: fc.array(fc.nat(MAX_TASKS), { maxLength: 3 }),
      pace: fc.nat(3),
    }),
    { minLength: 1, maxLength: MAX_TASKS },
  ),
  answers: fc.array(fc.constantFrom(...ANSWERS), { minLength: 2 * MAX_TASKS, maxLength: 2 * MAX_TASKS }),
  maxConcurrentTasks: fc.integer({ min: 1, max: 4 }),
});

test("[T3] [T5] [F41] a random plan, its tasks and its questions each end exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(randomPlan, async ({ tasks, answers, maxConcurrentTasks }) => {
      const fates = new Map(tasks.map(({ fate }, i) => [`do ${i}`, fate]));
      const paces = new Map(tasks.map(({ pace }, i) => [`do ${i}`, pace]));
      const startedQueries: string[] = [];
      const questions: string[] = [];
      const answered: string[] = [];
      const all = new AbortController();
      const single = new Map<string, AbortController>();
      const getController = (id: string): AbortController => {
        const existing = single.get(id) ?? new AbortController();
        single.set(id, existing);
        return existing;
      };
      const memory = new Memory();
      const worker: Script = async function* ({ query, task_id, reply, message_id }) {
        startedQueries.push(query);
        for (let i = paces.get(query) ?? 0; i > 0; i -= 1) await Promise.resolve();
        yield { type: "accepted", remote_task_id: message_id };
        const fate = fates.get(query);
        const mustAsk = fate === "asks" ? reply === undefined : fate === "asks twice" && !message_id.endsWith("-3");
        if (reply !== undefined) answered.push(`w/${reply.remote_task_id}`);
        if (mustAsk) {
          questions.push(`w/${message_id}`);
          yield { type: "input_required", prompt: `Which ${query}?` };
        }
        if (fate === "fails") yield { type: "failed", reason: "It broke." };
        if (fate === "throws") throw new Error("boom");
        if (fate === "stops itself") getController(task_id).abort(new StopReason("person", "You stopped this task."));
        if (fate === "stops all") all.abort(new StopReason("person", "You stopped this."));
        if (fate !== "mute") yield { type: "text", text: `result of ${query}` };
      };
      const proposed = tasks.map(({ needs }, i) => task(String(i), "w", needs.filter((need) => need < i).map(String)));
      const model = scriptModel({
        triage: [handoff({})],
        planner: [plan(...proposed)],
        synthesis: [{ text: "All done." }],
      });
      const turn = {
        limits: { ...LIMITS, maxConcurrentTasks },
        signal: all.signal,
        taskSignal: (id: string) => getController(id).signal,
      };
      const doubles = { model, agents: scriptAgents({ w: worker }) };
      let result = await runTestTurn(doubles, "go", { memory, turn });
      for (const state of answers) {
        if (result.end.status !== "paused") break;
        const questionState = state === "answered" ? { state, answer: { message: "this" } } : { state };
        memory.settleFirst(questionState);
        result = await runTestTurn(doubles, "go", { memory, turn });
      }

      expect(result.events.filter((name) => name === "done")).toEqual(["done"]);
      expect(result.events.at(-1)).toBe("done");
      expect([...answered, ...doubles.agents.dismissed].toSorted()).toEqual(questions.toSorted());
      const [createdPlan] = memory.sent.reduce<readonly Plan[]>((plans, frame) => foldPlans(plans, frame), []);
      const ended = createdPlan?.tasks ?? [];
      expect(ended).toHaveLength(tasks.length);
      const finalEvents = memory.sent.filter(({ event }) => /^task_(?:completed|failed|cancelled)$/.test(event));
      const getTaskId = (data: object): string => ("task_id" in data ? String(data.task_id) : "");
      expect(finalEvents.map(({ data }) => getTaskId(data)).toSorted()).toEqual(ended.map(getTaskId).toSorted());
      const statuses = new Map(ended.map(({ task_id, status }) => [task_id, status]));
      for (const { status, depends_on: needs, query } of ended) {
        expect(isFinalTaskStatus(status)).toBe(true);
        const isBlocked = needs.some((id) => statuses.get(id) !== "completed");
        if (isBlocked) expect([status, startedQueries.includes(query)]).toEqual(["cancelled", false]);
      }
    }),
    { numRuns: pickByLength(200, 20_000), seed: 11 },
  );
});
