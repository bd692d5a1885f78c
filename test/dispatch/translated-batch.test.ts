import { expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { streamEvents } from "../../src/dispatch/translated-batch.ts";

test("[I43] other work runs between the events of a large response, and its error comes last", async () => {
  const events = Array.from({ length: 1_000 }, (_, i): AgentEvent => ({ type: "notification", text: String(i) }));
  let runs = 0;
  const timer = setInterval(() => (runs += 1), 0);
  const received: AgentEvent[] = [];
  const reading = (async () => {
    for await (const event of streamEvents({ events, error: new Error("unreadable") })) received.push(event);
  })();
  await expect(reading).rejects.toThrow("unreadable");
  clearInterval(timer);
  expect(received).toEqual(events);
  expect(runs).toBeGreaterThan(10);
});
