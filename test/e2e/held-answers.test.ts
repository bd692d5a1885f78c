// An endpoint that has said everything and neither ends its answer nor closes the connection.

import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MODEL_TIMEOUT_SECONDS: "1" } });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const ANSWERS: readonly (readonly [string, { words: number; paceMs: number; calls: number }])[] = [
  ["of a few words at once", { words: 12, paceMs: 0, calls: 1 }],
  ["of many words, 2 ms apart", { words: 100, paceMs: 2, calls: 1 }],
  ["of many words, 10 ms apart", { words: 60, paceMs: 10, calls: 1 }],
  // What a torrent holds back is had the second time.
  ["of many words at once", { words: 300, paceMs: 0, calls: 2 }],
];

test.each(ANSWERS)("[I30] an answer %s is whole", async (_, { words, paceMs, calls }) => {
  const text = Array.from({ length: words }, (_word, i) => `word${i} `).join("");
  const mark = model.act({ triage: { text, paceMs, trouble: { kind: "open" } } });
  const { frames } = await person.say(`Go ${mark}`);
  expect(textOf(frames).endsWith(text)).toBe(true);
  expect(eventsOf(frames, "system_failed")).toEqual([]);
  expect(model.callsOf(mark, "triage").length).toBeLessThanOrEqual(calls);
});
