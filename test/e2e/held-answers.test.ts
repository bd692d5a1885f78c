// An endpoint that has said everything and neither ends its answer nor closes the connection.

import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
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

const ANSWERS: readonly (readonly [string, { words: number; paceMs: number }])[] = [
  ["of a few words at once", { words: 12, paceMs: 0 }],
  ["of many words, 2 ms apart", { words: 100, paceMs: 2 }],
  ["of many words, 10 ms apart", { words: 60, paceMs: 10 }],
  ["of many words at once", { words: 300, paceMs: 0 }],
];

const worded = (words: number) => Array.from({ length: words }, (_, i) => `word${i} `).join("");

test.each(ANSWERS)("[I30] an answer %s is whole, and had at the first time", async (_, { words, paceMs }) => {
  const text = worded(words);
  const mark = model.act({ triage: { text, paceMs, trouble: { kind: "open" } } });
  const { frames } = await person.say(`Go ${mark}`);
  expect(textOf(frames).endsWith(text)).toBe(true);
  expect(eventsOf(frames, "system_failed")).toEqual([]);
  expect(model.callsOf(mark, "triage")).toHaveLength(1);
});

test.each([
  ["short", 1, 300],
  ["long", 300, 300],
  ["long", 300, 20],
])("[I30] an endpoint that ended its %s answers is believed to once too often at most", async (_, before, words) => {
  for (let i = 0; i < 3; i++) await person.say(`Go ${model.act({ triage: { text: worded(before) } })}`);
  const calls: number[] = [];
  for (let i = 0; i < 3; i++) {
    const mark = model.act({ triage: { text: worded(words), trouble: { kind: "open" } } });
    const { frames } = await person.say(`Go ${mark}`);
    expect(textOf(frames).endsWith(worded(words))).toBe(true);
    expect(eventsOf(frames, "system_failed")).toEqual([]);
    calls.push(model.callsOf(mark, "triage").length);
  }
  expect(calls[0]).toBeLessThanOrEqual(2);
  expect(calls.slice(1)).toEqual([1, 1]);
});

test.each(["cut", "stall"] as const)(
  "[I30] where answers flowed, one that ends in a %s is asked for again",
  async (kind) => {
    for (let i = 0; i < 3; i++) await person.say(`Go ${model.act({ triage: { text: worded(300) } })}`);
    const reply = ({ attempt }: ModelCall) =>
      attempt === 0 ? { text: worded(20), trouble: { kind } } : { text: worded(30) };
    const mark = model.act({ triage: reply });
    const { frames } = await person.say(`Go ${mark}`);
    expect(textOf(frames).endsWith(worded(30))).toBe(true);
    expect(model.callsOf(mark, "triage")).toHaveLength(2);
  },
);

// Where the pieces end decides whether the last words are among what is held back.
test.each([20, 21, 22, 23, 24, 25])(
  "[I30] an endpoint whose answers end when they are asked for again is not believed to for that, at %i words",
  async (words) => {
    for (let i = 0; i < 3; i++) await person.say(`Go ${model.act({ triage: { text: worded(300) } })}`);
    const calls: number[] = [];
    for (let i = 0; i < 2; i++) {
      const reply = ({ attempt }: ModelCall) =>
        attempt === 0 ? { text: worded(words), trouble: { kind: "open" as const } } : { text: worded(300) };
      const mark = model.act({ triage: reply });
      await person.say(`Go ${mark}`);
      calls.push(model.callsOf(mark, "triage").length);
    }
    expect(calls[0]).toBeLessThanOrEqual(2);
    expect(calls[1]).toBe(1);
  },
);
