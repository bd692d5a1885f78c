// How an instance stands to whoever asks.

import { expect, test } from "vitest";
import { INSTANCE_TASK_COMPONENT } from "../../../src/protocol/workflows/workflow-instance.ts";
import { LIMITS, Memory, type Script } from "../../support/scripted.ts";
import { closing, failing, instanceIn, listener, playInstance, tasks, templateOf, using } from "./playing.ts";

test("[H1] whoever has resumed an instance and reads it before it goes on is not told that it waits", async () => {
  const template = templateOf({
    name: "Held",
    tasks: tasks("001", "002"),
    max_retries: 0,
    listeners: [listener("A", "001", "Running", "weak", "002"), closing("B", "002", "Done")],
  });
  const world = {
    template,
    agents: {
      weak: failing(
        2,
        using("do", () => ({ ok: true })),
      ),
    },
  };
  const { memory } = await playInstance(world);
  for (const end of ["paused", "completed"]) {
    expect(instanceIn(memory, "open")).toMatchObject({ status: "error", waiting_for_resume: true });
    const [asked] = memory.open();
    memory.settle(asked?.request_id ?? "", { state: "answered", answer: { message: "Again" } });
    const resumed = instanceIn(memory, "open");
    expect(resumed).toMatchObject({ status: "running", waiting_for_resume: false });
    expect([resumed.hold, resumed.error]).toEqual([undefined, undefined]);
    expect((await playInstance(world, memory)).end.status).toBe(end);
  }
  expect(instanceIn(memory).status).toBe("done");
});

test("a component of an agent is no part of how its instance stands, whatever the agent calls it", async () => {
  const template = templateOf({
    name: "Posed",
    tasks: tasks("001", "002"),
    listeners: [listener("A", "001", "Running", "posing", "002"), closing("B", "002", "Done")],
  });
  const posing: Script = async function* () {
    const content = JSON.stringify(instanceIn(memory, "open").tasks.at(-1)).replace("NotStarted", "Error");
    yield { type: "component", component_type: INSTANCE_TASK_COMPONENT, content };
  };
  const memory = new Memory();
  await playInstance({ template, agents: { posing } }, memory);
  expect(instanceIn(memory).tasks.map(({ task_id, status }) => [task_id, status])).toEqual([
    ["001", "Done"],
    ["002", "Done"],
  ]);
});

test.each([1, 5])(
  "[H4] an instance goes on where %i of its listeners may run at a time since, which were 2",
  async (n) => {
    const ids = ["002", "003", "004", "005"];
    const template = templateOf({
      name: "Asked",
      tasks: tasks("001", ...ids),
      listeners: [
        ...ids.map((id) => listener(`L${id}`, "001", "Running", "asking", id)),
        closing("Z", ids.join(","), "Done"),
      ],
    });
    const asking: Script = async function* ({ reply, query }) {
      if (query === "do L002") await new Promise((resolve) => setTimeout(resolve, 2));
      if (reply === undefined) yield { type: "input_required", prompt: "Which?" };
      yield { type: "text", text: "this" };
    };
    const played = (maxConcurrentTasks: number) =>
      playInstance({ template, agents: { asking }, turn: { limits: { ...LIMITS, maxConcurrentTasks } } }, memory);
    const memory = new Memory();
    await played(2);
    expect(memory.open()).toHaveLength(4);
    for (const { request_id } of memory.open()) {
      memory.settle(request_id, { state: "answered", answer: { message: "that" } });
    }
    const { end, events } = await played(n);
    expect(end.status).toBe("completed");
    expect(events.filter((name) => name === "task_completed")).toHaveLength(4);
  },
);
