// Instances of large plans, and those in which much becomes known of one task.

import { describe, expect, test } from "vitest";
import { INSTANCE_VALUE_COMPONENT } from "../../../src/protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../../src/protocol/workflows/workflow-template.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { LIMITS, saying, type Script } from "../../support/scripted.ts";
import {
  closing,
  failing,
  instanceIn,
  listener,
  playInstance,
  statuses,
  tasks,
  templateOf,
  using,
  viewOf,
} from "./playing.ts";

const WORDS = "x".repeat(300);

/** Listeners one after the other, each of which adds what it has to the main task. */
function growing(count: number): WorkflowTemplate {
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
    (frame) => frame.event === "component_generator" && frame.data.payload.component_type === INSTANCE_VALUE_COMPONENT,
  );
  // Each of them once; and the failure, when it is there, when it has its question, and when it is not any more.
  expect(told.length).toBeLessThanOrEqual(20 + 6);
});

describe("a large plan", () => {
  test("of 200 listeners takes up a thousand changes in no time", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const template = templateOf({
      name: "Large",
      tasks: tasks("001", ...ids),
      listeners: ids
        .map((id, i) => closing(`L${i}`, ids[i - 1] ?? "001", i === 0 ? "Running" : "Done", id))
        .concat(closing("Z", "t198", "Done")),
    });
    const began = cpuMs();
    const { memory, end } = await playInstance({ template, agents: {} });
    expect(end.status).toBe("completed");
    expect(Object.values(statuses(instanceIn(memory))).every((status) => status === "Done")).toBe(true);
    // Each listener and its task at the start, running, done, and changed.
    expect(memory.sent.length).toBeLessThan(200 * 6);
    expect(cpuMs() - began).toBeLessThan(2_000);
  });

  test("[L4] of the largest texts and the most listeners fits into the rows of a log", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const wide = Array.from({ length: 499 }, (_, i) =>
      listener(`L${i}`, i < 250 ? "001" : "t0", i < 250 ? "Running" : "Done", "a", i < 250 ? "t0" : "t1", {
        action_prompt: "字".repeat(400),
      }),
    );
    const template = templateOf({
      name: "Wide",
      tasks: tasks("001", ...ids).map((task) => ({ ...task, name: "名".repeat(200), prompt: "字".repeat(400) })),
      listeners: [...wide, closing("Z", "t1", "Done")],
    });
    const limits = { ...LIMITS, maxFirings: 10 };
    const { memory } = await playInstance({ template, agents: { a: saying("x") }, turn: { limits } });
    const all = viewOf(memory).plans[0]?.tasks ?? [];
    expect(Math.max(...all.map(({ depends_on: needs }) => needs.length))).toBe(10);
    const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;
    expect(Math.max(...memory.rows.map((row) => bytes(JSON.stringify(row))))).toBeLessThan(2_000_000);
    expect(Math.max(...[...memory.steps.values()].map(bytes))).toBeLessThan(2_000_000);
  });

  test("[L4] whose agents name many tools at length fits into the rows of a log", async () => {
    const template = templateOf({
      name: "Tools",
      tasks: tasks("001", "002"),
      listeners: [listener("A", "001", "Running", "a", "002"), closing("Z", "002", "Done")],
    });
    const handy: Script = async function* () {
      for (let i = 0; i < 500; i += 1) {
        const [tool, args] = [`${i} ${"名".repeat(10_000)}`, "x".repeat(10_000)];
        yield { type: "tool_completed", call_id: `${i}`, tool, arguments: args, result: "yes" };
      }
    };
    const { memory } = await playInstance({ template, agents: { a: handy }, verify: true });
    expect(instanceIn(memory).verification?.checklist[0]?.tools_used).toHaveLength(50);
    const told = memory.rows.filter(({ entries }) => entries.every(({ event }) => event !== "tool_call_completed"));
    const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;
    expect(Math.max(...told.map((row) => bytes(JSON.stringify(row))))).toBeLessThan(1_000_000);
  });

  test("[L4] of many agents that say much about what they verify fits into the rows of a log", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const template = templateOf({
      name: "Verbose",
      tasks: tasks("001", ...ids).map((task) => ({ ...task, name: "名".repeat(100) })),
      listeners: [
        ...ids.map((id) => listener(`L${id}`, "001", "Running", "a", id)),
        closing("Z", ids.join(","), "Done"),
      ],
    });
    const verbose: Script = async function* ({ metadata }) {
      if (metadata.scope === "read_only") {
        yield { type: "tool_completed", call_id: "c", tool: "look", result: `错误：${"没".repeat(1_000)}` };
      }
      yield { type: "text", text: "字".repeat(5_000) };
    };
    const { memory } = await playInstance({ template, agents: { a: verbose }, verify: true });
    expect(instanceIn(memory).verification?.summary.failed_count).toBe(199);
    const bytes = (text: string): number => new TextEncoder().encode(text).byteLength;
    expect(Math.max(...memory.rows.map((row) => bytes(JSON.stringify(row))))).toBeLessThan(2_000_000);
  });
});
