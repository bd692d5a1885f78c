// Instances with many listeners or a large task context.

import { describe, expect, test } from "vitest";
import { INSTANCE_VALUE_COMPONENT } from "../../../src/protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../../src/protocol/workflows/workflow-template.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { answerWith, type Script, LIMITS } from "../../support/scripted-ports.ts";
import {
  codeListener,
  failingAgent,
  getInstance,
  listener,
  runTestInstance,
  getStatuses,
  tasks,
  createTemplate,
  toolAgent,
  getView,
} from "./instance-fixture.ts";

const countBytes = (text: string): number => new TextEncoder().encode(text).byteLength;

const WORDS = "x".repeat(300);

/** Returns a template with a chain of listeners, each of which adds a value to the main task. */
function createGrowingTemplate(count: number): WorkflowTemplate {
  const steps = Array.from({ length: count }, (_, i) => ({
    ...codeListener(`L${i}`, "001", i === 0 ? "Running" : `001.context.k${i - 1} != none`),
    success_output: { task_id: "001", status: "Running", context: { [`k${i}`]: WORDS } },
  }));
  const last = codeListener("END", "001", `001.context.k${count - 1} != none`);
  return createTemplate({ name: "Much", tasks: tasks("001"), listeners: [...steps, last] });
}

async function runGrowingInstance(count: number) {
  const { memory, end } = await runTestInstance({ template: createGrowingTemplate(count), agents: {} });
  expect(end.status).toBe("completed");
  const instance = getInstance(memory);
  expect(Object.keys(instance.tasks[0]?.context ?? {})).toHaveLength(count);
  expect(new Set(Object.values(instance.tasks[0]?.context ?? {}))).toEqual(new Set([WORDS]));
  return JSON.stringify(memory.sent).length;
}

test("[L4] publishes events in proportion to the changes, not to the whole context", async () => {
  const [some, more] = [await runGrowingInstance(70), await runGrowingInstance(140)];
  expect(more / some).toBeLessThan(2.2);
});

test("removes a value from a large task context without publishing the other values again", async () => {
  const context = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, WORDS]));
  const template = createTemplate({
    max_retries: 0,
    listeners: [listener("A", "001", "Running", "weak", "002"), codeListener("B", "002", "Done")],
  });
  const scenario = {
    template,
    context,
    agents: {
      weak: failingAgent(1, toolAgent("do")),
    },
  };
  const { memory } = await runTestInstance(scenario);
  expect(getInstance(memory, "open").tasks[0]?.context).toMatchObject({ ...context, failed_listener_id: "A" });
  memory.settleFirst("Again");
  const { end } = await runTestInstance(scenario, memory);
  expect(end.status).toBe("completed");
  expect(getInstance(memory).tasks[0]?.context).toEqual(context);
  const valueEvents = memory.sent.filter(
    (frame) => frame.event === "component_generator" && frame.data.payload.component_type === INSTANCE_VALUE_COMPONENT,
  );
  // Each value once, and the failure when it occurs, gets its question and is resolved.
  expect(valueEvents.length).toBeLessThanOrEqual(20 + 6);
});

describe("large template", () => {
  test("processes 1,000 changes with 200 listeners within two seconds", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const template = createTemplate({
      name: "Large",
      tasks: tasks("001", ...ids),
      listeners: ids
        .map((id, i) => codeListener(`L${i}`, ids[i - 1] ?? "001", i === 0 ? "Running" : "Done", id))
        .concat(codeListener("Z", "t198", "Done")),
    });
    const start = getCpuMs();
    const { memory, end } = await runTestInstance({ template, agents: {} });
    expect(end.status).toBe("completed");
    expect(Object.values(getStatuses(getInstance(memory))).every((status) => status === "Done")).toBe(true);
    // Each listener and its task: at the start, running, done, and changed.
    expect(memory.sent.length).toBeLessThan(200 * 6);
    expect(getCpuMs() - start).toBeLessThan(2_000);
  });

  test("[L4] stores the longest texts and the most listeners in rows below the size limit", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const wide = Array.from({ length: 499 }, (_, i) =>
      listener(`L${i}`, i < 250 ? "001" : "t0", i < 250 ? "Running" : "Done", "a", i < 250 ? "t0" : "t1", {
        action_prompt: "字".repeat(400),
      }),
    );
    const template = createTemplate({
      name: "Wide",
      tasks: tasks("001", ...ids).map((task) => ({ ...task, name: "名".repeat(200), prompt: "字".repeat(400) })),
      listeners: [...wide, codeListener("Z", "t1", "Done")],
    });
    const limits = { ...LIMITS, maxFirings: 10 };
    const { memory } = await runTestInstance({ template, agents: { a: answerWith("x") }, turn: { limits } });
    const all = getView(memory).plans[0]?.tasks ?? [];
    expect(Math.max(...all.map(({ depends_on: needs }) => needs.length))).toBe(10);
    expect(Math.max(...memory.rows.map((row) => countBytes(JSON.stringify(row))))).toBeLessThan(2_000_000);
    expect(Math.max(...[...memory.steps.values()].map(countBytes))).toBeLessThan(2_000_000);
  });

  test("[L4] stores many long tool names of agents in rows below the size limit", async () => {
    const template = createTemplate({
      listeners: [listener("A", "001", "Running", "a", "002"), codeListener("Z", "002", "Done")],
    });
    const handy: Script = async function* () {
      for (let i = 0; i < 500; i += 1) {
        const [tool, args] = [`${i} ${"名".repeat(10_000)}`, "x".repeat(10_000)];
        yield { type: "tool_completed", call_id: `${i}`, tool, arguments: args, result: "yes" };
      }
    };
    const { memory } = await runTestInstance({ template, agents: { a: handy }, verify: true });
    expect(getInstance(memory).verification?.checklist[0]?.tools_used).toHaveLength(50);
    const valueEvents = memory.rows.filter(({ entries }) =>
      entries.every(({ event }) => event !== "tool_call_completed"),
    );
    expect(Math.max(...valueEvents.map((row) => countBytes(JSON.stringify(row))))).toBeLessThan(1_000_000);
  });

  test("[L4] stores long verification results of many agents in rows below the size limit", async () => {
    const ids = Array.from({ length: 199 }, (_, i) => `t${i}`);
    const template = createTemplate({
      name: "Verbose",
      tasks: tasks("001", ...ids).map((task) => ({ ...task, name: "名".repeat(100) })),
      listeners: [
        ...ids.map((id) => listener(`L${id}`, "001", "Running", "a", id)),
        codeListener("Z", ids.join(","), "Done"),
      ],
    });
    const verbose: Script = async function* ({ metadata }) {
      if (metadata.scope === "read_only") {
        yield { type: "tool_completed", call_id: "c", tool: "look", result: `错误：${"没".repeat(1_000)}` };
      }
      yield { type: "text", text: "字".repeat(5_000) };
    };
    const { memory } = await runTestInstance({ template, agents: { a: verbose }, verify: true });
    expect(getInstance(memory).verification?.summary.failed_count).toBe(199);
    expect(Math.max(...memory.rows.map((row) => countBytes(JSON.stringify(row))))).toBeLessThan(2_000_000);
  });
});
