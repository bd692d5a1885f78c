import { expect, test } from "vitest";
import {
  completeStream,
  completeOnce,
  DONE,
  deltaFrame,
  finishFrame,
  createTestModel,
  serveScripts,
  createStreamScript,
} from "./scripted-endpoint.ts";

const createCallDelta = (fields: object, fn: object = {}) => ({ ...fields, function: fn });

async function streamCalls(...deltas: object[][]) {
  return (
    await completeStream(...deltas.map((calls) => deltaFrame({ tool_calls: calls })), finishFrame("tool_calls"), DONE)
  ).completion.toolCalls;
}

const CALL_A = { id: "a", name: "f", arguments: '{"x":1}' };
const CALL_B = { id: "b", name: "g", arguments: '{"y":2}' };

const start = (fields: object, name: string, args: string) => createCallDelta(fields, { name, arguments: args });
const more = (fields: object, args: string) => createCallDelta(fields, { arguments: args });

test.each([
  [
    "interleaved calls by their index",
    [start({ index: 0, id: "a" }, "f", "")],
    [start({ index: 1, id: "b" }, "g", '{"y"')],
    [more({ index: 0 }, '{"x":1}')],
    [more({ index: 1 }, ":2}")],
  ],
  [
    "complete calls in one message without an index",
    [start({ id: "a" }, "f", '{"x":1}'), start({ id: "b" }, "g", '{"y":2}')],
  ],
  [
    "calls with index 0 throughout by their ids",
    [start({ index: 0, id: "a" }, "f", '{"x":1}')],
    [start({ index: 0, id: "b" }, "g", '{"y":2}')],
  ],
  [
    "deltas without an index by their id, or by their order",
    [start({ id: "a" }, "f", '{"x"')],
    [more({}, ":1}")],
    [start({ id: "b" }, "g", '{"y"')],
    [more({ id: "b" }, ":2}")],
  ],
  [
    "deltas that repeat the name",
    [start({ index: 0, id: "a" }, "f", '{"x"')],
    [start({ index: 0, id: "a" }, "f", ":1}")],
    [start({ index: 1, id: "b" }, "g", '{"y":2}')],
  ],
] as [string, ...object[][]][])("the builder separates %s", async (_, ...deltas) => {
  expect(await streamCalls(...deltas)).toEqual([CALL_A, CALL_B]);
});

test("calls without index and id start at their name and receive new ids", async () => {
  const calls = await streamCalls(
    [createCallDelta({}, { name: "f", arguments: "{}" })],
    [createCallDelta({}, { name: "f", arguments: "{}" })],
  );
  expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
    ["f", "{}"],
    ["f", "{}"],
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
});

test("[I30] a duplicate id is kept for one call only", async () => {
  const calls = await streamCalls([
    createCallDelta({ index: 0, id: "a" }, CALL_A),
    createCallDelta({ index: 1, id: "a" }, CALL_B),
  ]);
  expect(calls.map(({ name }) => name)).toEqual(["f", "g"]);
  expect(calls[0]?.id).toBe("a");
  expect(calls[1]?.id).toMatch(/^call_/);
});

test("arguments sent as an object become their JSON", async () => {
  expect(await streamCalls([createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: { x: 1 } })])).toEqual([
    CALL_A,
  ]);
});

test("arguments that are not JSON are passed on unchanged", async () => {
  const calls = await streamCalls([createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: "{oops" })]);
  expect(calls).toEqual([{ id: "a", name: "f", arguments: "{oops" }]);
});

test("[I30] ten thousand calls in one completion are rejected", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    createCallDelta({ index, id: `c${index}` }, { name: "f", arguments: "{}" }),
  );
  await expect(streamCalls(many)).rejects.toMatchObject({ code: "model_malformed" });
});

test("[I30] a call without a name is malformed", async () => {
  await expect(streamCalls([createCallDelta({ index: 0, id: "a" }, { arguments: "{}" })])).rejects.toMatchObject({
    code: "model_malformed",
  });
});

test("[I30] a call that the length limit cut is malformed, a complete one is valid", async () => {
  const createTruncatedCall = (args: string) =>
    createStreamScript(
      deltaFrame({ tool_calls: [createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: args })] }),
      finishFrame("length"),
      DONE,
    );
  const { url } = await serveScripts(createTruncatedCall('{"x":'), createTruncatedCall('{"x":1}'));
  const model = createTestModel({ url });
  await expect(completeOnce(model)).rejects.toMatchObject({ code: "model_malformed", retryable: true });
  expect((await completeOnce(model)).completion.toolCalls).toEqual([CALL_A]);
});
