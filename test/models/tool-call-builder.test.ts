import { expect, test } from "vitest";
import {
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
  const { url } = await serveScripts(
    createStreamScript(...deltas.map((calls) => deltaFrame({ tool_calls: calls })), finishFrame("tool_calls"), DONE),
  );
  return (await completeOnce(createTestModel({ url }))).completion.toolCalls;
}

const CALL_A = { id: "a", name: "f", arguments: '{"x":1}' };
const CALL_B = { id: "b", name: "g", arguments: '{"y":2}' };

test("interleaved calls are separated by their index", async () => {
  const calls = await streamCalls(
    [createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: "" })],
    [createCallDelta({ index: 1, id: "b" }, { name: "g", arguments: '{"y"' })],
    [createCallDelta({ index: 0 }, { arguments: '{"x":1}' })],
    [createCallDelta({ index: 1 }, { arguments: ":2}" })],
  );
  expect(calls).toEqual([CALL_A, CALL_B]);
});

test("complete calls in one message need no index", async () => {
  expect(await streamCalls([createCallDelta({ id: "a" }, CALL_A), createCallDelta({ id: "b" }, CALL_B)])).toEqual([
    CALL_A,
    CALL_B,
  ]);
});

test("calls with index 0 throughout are separated by their ids", async () => {
  expect(
    await streamCalls(
      [createCallDelta({ index: 0, id: "a" }, CALL_A)],
      [createCallDelta({ index: 0, id: "b" }, CALL_B)],
    ),
  ).toEqual([CALL_A, CALL_B]);
});

test("deltas without an index belong to the call with their id, or to the last call", async () => {
  const calls = await streamCalls(
    [createCallDelta({ id: "a" }, { name: "f", arguments: '{"x"' })],
    [createCallDelta({}, { arguments: ":1}" })],
    [createCallDelta({ id: "b" }, { name: "g", arguments: '{"y"' })],
    [createCallDelta({ id: "b" }, { name: "g", arguments: ":2}" })],
  );
  expect(calls).toEqual([CALL_A, CALL_B]);
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

test("a name that each delta repeats is used once", async () => {
  const calls = await streamCalls(
    [createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: '{"x"' })],
    [createCallDelta({ index: 0, id: "a" }, { name: "f", arguments: ":1}" })],
  );
  expect(calls).toEqual([CALL_A]);
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
