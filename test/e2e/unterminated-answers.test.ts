// A model endpoint that sends a complete answer but neither ends the stream nor closes the connection.

import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer, type ModelCall, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { pickByLength } from "../support/run-length.ts";

let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MODEL_TIMEOUT_SECONDS: "1" } });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const ANSWERS: readonly (readonly [string, { words: number; paceMs: number }])[] = [
  ["with a few words at once", { words: 12, paceMs: 0 }],
  ["with many words, 2 ms apart", { words: 100, paceMs: 2 }],
  ["with many words, 10 ms apart", { words: 60, paceMs: 10 }],
  ["with many words at once", { words: 300, paceMs: 0 }],
];

const createText = (words: number) => Array.from({ length: words }, (_, i) => `word${i} `).join("");

test.each(ANSWERS)("[I30] an unterminated answer %s is complete after one model call", async (_, { words, paceMs }) => {
  const text = createText(words);
  const mark = model.addScript({ triage: { text, paceMs, fault: { kind: "open" } } });
  const { frames } = await user.sendAndWait(`Go ${mark}`);
  expect(joinText(frames).endsWith(text)).toBe(true);
  expect(filterEvents(frames, "system_failed")).toEqual([]);
  expect(model.getCalls(mark, "triage")).toHaveLength(1);
});

test.each([
  ["short", 1, 300],
  ["long", 300, 300],
  ["long", 300, 20],
])(
  "[I30] an endpoint that terminated its %s answers before causes at most one repeated call",
  async (_, before, words) => {
    for (let i = 0; i < 3; i++)
      await user.sendAndWait(`Go ${model.addScript({ triage: { text: createText(before) } })}`);
    const calls: number[] = [];
    for (let i = 0; i < 3; i++) {
      const mark = model.addScript({ triage: { text: createText(words), fault: { kind: "open" } } });
      const { frames } = await user.sendAndWait(`Go ${mark}`);
      expect(joinText(frames).endsWith(createText(words))).toBe(true);
      expect(filterEvents(frames, "system_failed")).toEqual([]);
      calls.push(model.getCalls(mark, "triage").length);
    }
    expect(calls[0]).toBeLessThanOrEqual(2);
    expect(calls.slice(1)).toEqual([1, 1]);
  },
);

test.each(["cut", "stall"] as const)(
  "[I30] after complete answers, one that ends in a %s is requested again",
  async (kind) => {
    for (let i = 0; i < 3; i++) await user.sendAndWait(`Go ${model.addScript({ triage: { text: createText(300) } })}`);
    const reply = ({ attempt }: ModelCall) =>
      attempt === 0 ? { text: createText(20), fault: { kind } } : { text: createText(30) };
    const mark = model.addScript({ triage: reply });
    const { frames } = await user.sendAndWait(`Go ${mark}`);
    expect(joinText(frames).endsWith(createText(30))).toBe(true);
    expect(model.getCalls(mark, "triage")).toHaveLength(2);
  },
);

// The chunk boundaries decide whether the last words are in the buffer.
test.each(pickByLength([21, 24], [20, 21, 22, 23, 24, 25]))(
  "[I30] an endpoint that terminates only repeated answers causes no second repeated call, at %i words",
  async (words) => {
    for (let i = 0; i < 3; i++) await user.sendAndWait(`Go ${model.addScript({ triage: { text: createText(300) } })}`);
    const calls: number[] = [];
    for (let i = 0; i < 2; i++) {
      const reply = ({ attempt }: ModelCall) =>
        attempt === 0 ? { text: createText(words), fault: { kind: "open" as const } } : { text: createText(300) };
      const mark = model.addScript({ triage: reply });
      await user.sendAndWait(`Go ${mark}`);
      calls.push(model.getCalls(mark, "triage").length);
    }
    expect(calls[0]).toBeLessThanOrEqual(2);
    expect(calls[1]).toBe(1);
  },
);
