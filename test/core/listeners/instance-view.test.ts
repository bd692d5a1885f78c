// The state of an instance as readers see it.

import { expect, test } from "vitest";
import { INSTANCE_TASK_COMPONENT } from "../../../src/protocol/workflows/workflow-instance.ts";
import { Memory, type Script, LIMITS } from "../../support/scripted-ports.ts";
import {
  codeListener,
  failingAgent,
  getInstance,
  listener,
  runTestInstance,
  tasks,
  createTemplate,
  toolAgent,
} from "./instance-fixture.ts";

test("[H1] shows a resumed instance as running before it continues", async () => {
  const template = createTemplate({
    max_retries: 0,
    listeners: [listener("A", "001", "Running", "weak", "002"), codeListener("B", "002", "Done")],
  });
  const scenario = {
    template,
    agents: {
      weak: failingAgent(2, toolAgent("do")),
    },
  };
  const { memory } = await runTestInstance(scenario);
  for (const end of ["paused", "completed"]) {
    expect(getInstance(memory, "open")).toMatchObject({ status: "error", waiting_for_resume: true });
    memory.settleFirst("Again");
    const resumedInstance = getInstance(memory, "open");
    expect(resumedInstance).toMatchObject({ status: "running", waiting_for_resume: false });
    expect([resumedInstance.hold, resumedInstance.error]).toEqual([undefined, undefined]);
    expect((await runTestInstance(scenario, memory)).end.status).toBe(end);
  }
  expect(getInstance(memory).status).toBe("done");
});

test("ignores an agent's component that imitates an instance component", async () => {
  const template = createTemplate({
    listeners: [listener("A", "001", "Running", "imitating", "002"), codeListener("B", "002", "Done")],
  });
  const imitating: Script = async function* () {
    const content = JSON.stringify(getInstance(memory, "open").tasks.at(-1)).replace("NotStarted", "Error");
    yield { type: "component", component_type: INSTANCE_TASK_COMPONENT, content };
  };
  const memory = new Memory();
  await runTestInstance({ template, agents: { imitating } }, memory);
  expect(getInstance(memory).tasks.map(({ task_id, status }) => [task_id, status])).toEqual([
    ["001", "Done"],
    ["002", "Done"],
  ]);
});

test.each([1, 5])("[H4] continues a paused instance with a concurrency limit of %i instead of 2", async (n) => {
  const ids = ["002", "003", "004", "005"];
  const template = createTemplate({
    name: "Asked",
    tasks: tasks("001", ...ids),
    listeners: [
      ...ids.map((id) => listener(`L${id}`, "001", "Running", "asking", id)),
      codeListener("Z", ids.join(","), "Done"),
    ],
  });
  const asking: Script = async function* ({ reply, query }) {
    if (query === "do L002") await new Promise((resolve) => setTimeout(resolve, 2));
    if (reply === undefined) yield { type: "input_required", prompt: "Which?" };
    yield { type: "text", text: "this" };
  };
  const runWith = (maxConcurrentTasks: number) =>
    runTestInstance({ template, agents: { asking }, turn: { limits: { ...LIMITS, maxConcurrentTasks } } }, memory);
  const memory = new Memory();
  await runWith(2);
  expect(memory.listOpenQuestions()).toHaveLength(4);
  memory.answerAll("that");
  const { end, events } = await runWith(n);
  expect(end.status).toBe("completed");
  expect(events.filter((name) => name === "task_completed")).toHaveLength(4);
});
