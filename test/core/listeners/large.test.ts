// Instances in which much becomes known of one task.

import { expect, test } from "vitest";
import { PLAN_VALUE } from "../../../src/protocol/plan-instance.ts";
import type { PlanTemplate } from "../../../src/protocol/plan-template.ts";
import { closing, failing, instanceIn, listener, playInstance, tasks, templateOf, using } from "./playing.ts";

const WORDS = "x".repeat(300);

/** Listeners one after the other, each of which adds what it has to the main task. */
function growing(count: number): PlanTemplate {
  const steps = Array.from({ length: count }, (_, i) => ({
    ...closing(`L${i}`, "001", i === 0 ? "Running" : `001.context.k${i - 1} != none`),
    success_output: { task_id: "001", status: "Running", context: { [`k${i}`]: WORDS } },
  }));
  const last = closing("END", "001", `001.context.k${count - 1} != none`);
  return templateOf({ name: "Much", tasks: tasks("001"), listeners: [...steps, last] });
}

async function grown(count: number) {
  const { memory, end } = await playInstance({ template: growing(count), agents: {} });
  expect(end.status).toBe("completed");
  const instance = instanceIn(memory);
  expect(Object.keys(instance.tasks[0]?.context ?? {})).toHaveLength(count);
  expect(new Set(Object.values(instance.tasks[0]?.context ?? {}))).toEqual(new Set([WORDS]));
  return JSON.stringify(memory.sent).length;
}

test("[L4] what is told grows with what is new, not with all that is known", async () => {
  const [some, more] = [await grown(70), await grown(140)];
  expect(more / some).toBeLessThan(2.2);
});

test("what is no longer known of a large task is not told to anybody", async () => {
  const context = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, WORDS]));
  const template = templateOf({
    name: "Large and held",
    tasks: tasks("001", "002"),
    max_retries: 0,
    listeners: [listener("A", "001", "Running", "weak", "002"), closing("B", "002", "Done")],
  });
  const world = {
    template,
    context,
    agents: {
      weak: failing(
        1,
        using("do", () => ({ ok: true })),
      ),
    },
  };
  const { memory } = await playInstance(world);
  expect(instanceIn(memory, "open").tasks[0]?.context).toMatchObject({ ...context, failed_listener_id: "A" });
  const [asked] = memory.open();
  memory.settle(asked?.request_id ?? "", { state: "answered", answer: { message: "Again" } });
  const { end } = await playInstance(world, memory);
  expect(end.status).toBe("completed");
  expect(instanceIn(memory).tasks[0]?.context).toEqual(context);
  const told = memory.sent.filter(
    (frame) => frame.event === "component_generator" && frame.data.payload.component_type === PLAN_VALUE,
  );
  // Each of them once; and the failure, when it is there, when it has its question, and when it is not any more.
  expect(told.length).toBeLessThanOrEqual(20 + 6);
});
