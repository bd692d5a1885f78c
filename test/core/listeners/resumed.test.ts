import { expect, test } from "vitest";
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
