import { expect, test } from "vitest";
import { createEventQueue } from "../../src/agents/kit/event-queue.ts";
import { collect } from "./fixtures/local-agent.ts";

test("[M1] an event queue joins adjacent text and keeps the order of everything else", async () => {
  const box = createEventQueue();
  box.push({ type: "text", text: "a" });
  box.push({ type: "text", text: "b" });
  box.push({ type: "reasoning", text: "r" });
  box.push({ type: "tool_started", call_id: "1", tool: "t" });
  box.push({ type: "tool_started", call_id: "2", tool: "t" });
  box.push({ type: "text", text: "c" });
  box.close();
  expect(await collect(box)).toEqual([
    { type: "text", text: "ab" },
    { type: "reasoning", text: "r" },
    { type: "tool_started", call_id: "1", tool: "t" },
    { type: "tool_started", call_id: "2", tool: "t" },
    { type: "text", text: "c" },
  ]);
});

test("[M2] an event queue delivers what was pushed before the close and drops the rest", async () => {
  const box = createEventQueue();
  const read = collect(box);
  await Promise.resolve();
  box.push({ type: "text", text: "a" });
  await Promise.resolve();
  box.push({ type: "text", text: "b" });
  box.close();
  box.push({ type: "text", text: "late" });
  expect((await read).map((event) => ("text" in event ? event.text : "")).join("")).toBe("ab");
});
