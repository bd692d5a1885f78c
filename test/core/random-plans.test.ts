// Plans of any shape whose tasks end in any way, while the person answers, is late, stops tasks, or stops it all.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StopReason } from "../../src/core/stop-reason.ts";
import { isFinalTaskStatus } from "../../src/protocol/plans/task-plan.ts";
import { foldPlans } from "../../src/protocol/plans/fold-plans.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import {
  handoff,
  LIMITS,
  Memory,
  plan,
  play,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../support/scripted.ts";

const MOST = 8;
const FATES = ["says", "fails", "throws", "asks", "asks twice", "mute", "stops itself", "stops all"] as const;
type Fate = (typeof FATES)[number];
const ANSWERS = ["answered", "expired", "cancelled"] as const;

const anyPlan = fc.record({
  tasks: fc.array(
    fc.record({
      fate: fc.constantFrom<Fate>("says", "says", ...FATES),
      needs: fc.array(fc.nat(MOST), { maxLength: 3 }),
      pace: fc.nat(3),
    }),
    { minLength: 1, maxLength: MOST },
  ),
  answers: fc.array(fc.constantFrom(...ANSWERS), { minLength: 2 * MOST, maxLength: 2 * MOST }),
  maxConcurrentTasks: fc.integer({ min: 1, max: 4 }),
});

test("[T3] [T5] [F41] whatever becomes of its tasks, a plan comes to one end, and so do they and their questions", async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async ({ tasks, answers, maxConcurrentTasks }) => {
      const fates = new Map(tasks.map(({ fate }, i) => [`do ${i}`, fate]));
      const paces = new Map(tasks.map(({ pace }, i) => [`do ${i}`, pace]));
      const begun: string[] = [];
      const asked: string[] = [];
      const heard: string[] = [];
      const all = new AbortController();
      const single = new Map<string, AbortController>();
      const stopOf = (id: string): AbortController => {
        const known = single.get(id) ?? new AbortController();
        single.set(id, known);
        return known;
      };
      const memory = new Memory();
      const worker: Script = async function* ({ query, task_id, reply, message_id }) {
        begun.push(query);
        for (let i = paces.get(query) ?? 0; i > 0; i -= 1) await Promise.resolve();
        yield { type: "accepted", remote_task_id: message_id };
        const fate = fates.get(query);
        const asks = fate === "asks" ? reply === undefined : fate === "asks twice" && !message_id.endsWith("-3");
        if (reply !== undefined) heard.push(`w/${reply.remote_task_id}`);
        if (asks) {
          asked.push(`w/${message_id}`);
          yield { type: "input_required", prompt: `Which ${query}?` };
        }
        if (fate === "fails") yield { type: "failed", reason: "It broke." };
        if (fate === "throws") throw new Error("boom");
        if (fate === "stops itself") stopOf(task_id).abort(new StopReason("person", "You cancelled this task."));
        if (fate === "stops all") all.abort(new StopReason("person", "You cancelled this."));
        if (fate !== "mute") yield { type: "text", text: `result of ${query}` };
      };
      const proposed = tasks.map(({ needs }, i) => task(String(i), "w", needs.filter((need) => need < i).map(String)));
      const model = scriptedModel({
        triage: [handoff({})],
        planner: [plan(...proposed)],
        synthesis: [{ text: "All done." }],
      });
      const turn = {
        limits: { ...LIMITS, maxConcurrentTasks },
        signal: all.signal,
        taskSignal: (id: string) => stopOf(id).signal,
      };
      const world = { model, agents: scriptedAgents({ w: worker }) };
      let played = await play(world, "go", { memory, turn });
      for (const state of answers) {
        if (played.end.status !== "paused") break;
        const standing = state === "answered" ? { state, answer: { message: "this" } } : { state };
        memory.settle(memory.open()[0]?.request_id ?? "", standing);
        played = await play(world, "go", { memory, turn });
      }

      expect(played.events.filter((name) => name === "done")).toEqual(["done"]);
      expect(played.events.at(-1)).toBe("done");
      expect([...heard, ...world.agents.dismissed].toSorted()).toEqual(asked.toSorted());
      const [made] = memory.sent.reduce<readonly Plan[]>((plans, frame) => foldPlans(plans, frame), []);
      const ended = made?.tasks ?? [];
      expect(ended).toHaveLength(tasks.length);
      const lastWords = memory.sent.filter(({ event }) => /^task_(?:completed|failed|cancelled)$/.test(event));
      const idOf = (of: object): string => ("task_id" in of ? String(of.task_id) : "");
      expect(lastWords.map(({ data }) => idOf(data)).toSorted()).toEqual(ended.map(idOf).toSorted());
      const statuses = new Map(ended.map(({ task_id, status }) => [task_id, status]));
      for (const { status, depends_on: needs, query } of ended) {
        expect(isFinalTaskStatus(status)).toBe(true);
        const isBlocked = needs.some((id) => statuses.get(id) !== "completed");
        if (isBlocked) expect([status, begun.includes(query)]).toEqual(["cancelled", false]);
      }
    }),
    { numRuns: Number(process.env["PLAN_RUNS"] ?? 300), seed: 11 },
  );
});
