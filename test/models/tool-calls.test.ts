import { expect, test } from "vitest";
import { ask, DONE, delta, finish, modelAt, serve, stream } from "./scripted-endpoint.ts";

const call = (fields: object, fn: object = {}) => ({ ...fields, function: fn });

async function callsOf(...messages: object[][]) {
  const { url } = await serve(
    stream(...messages.map((calls) => delta({ tool_calls: calls })), finish("tool_calls"), DONE),
  );
  return (await ask(modelAt({ url }))).completion.toolCalls;
}

const a = { id: "a", name: "f", arguments: '{"x":1}' };
const b = { id: "b", name: "g", arguments: '{"y":2}' };

test("calls that are streamed side by side are told apart by their index", async () => {
  const calls = await callsOf(
    [call({ index: 0, id: "a" }, { name: "f", arguments: "" })],
    [call({ index: 1, id: "b" }, { name: "g", arguments: '{"y"' })],
    [call({ index: 0 }, { arguments: '{"x":1}' })],
    [call({ index: 1 }, { arguments: ":2}" })],
  );
  expect(calls).toEqual([a, b]);
});

test("whole calls in one message, without an index", async () => {
  expect(await callsOf([call({ id: "a" }, a), call({ id: "b" }, b)])).toEqual([a, b]);
});

test("calls that all carry index 0 are told apart by their ids", async () => {
  expect(await callsOf([call({ index: 0, id: "a" }, a)], [call({ index: 0, id: "b" }, b)])).toEqual([a, b]);
});

test("deltas without an index belong to the call of their id, or to the last one", async () => {
  const calls = await callsOf(
    [call({ id: "a" }, { name: "f", arguments: '{"x"' })],
    [call({}, { arguments: ":1}" })],
    [call({ id: "b" }, { name: "g", arguments: '{"y"' })],
    [call({ id: "b" }, { name: "g", arguments: ":2}" })],
  );
  expect(calls).toEqual([a, b]);
});

test("calls with neither index nor id begin with their name and get ids of their own", async () => {
  const calls = await callsOf([call({}, { name: "f", arguments: "{}" })], [call({}, { name: "f", arguments: "{}" })]);
  expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
    ["f", "{}"],
    ["f", "{}"],
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
});

test("a name that every delta repeats is one name", async () => {
  const calls = await callsOf(
    [call({ index: 0, id: "a" }, { name: "f", arguments: '{"x"' })],
    [call({ index: 0, id: "a" }, { name: "f", arguments: ":1}" })],
  );
  expect(calls).toEqual([a]);
});

test("[I30] an id that comes twice is given to one call only", async () => {
  const calls = await callsOf([call({ index: 0, id: "a" }, a), call({ index: 1, id: "a" }, b)]);
  expect(calls.map(({ name }) => name)).toEqual(["f", "g"]);
  expect(calls[0]?.id).toBe("a");
  expect(calls[1]?.id).toMatch(/^call_/);
});

test("arguments that come as an object become their JSON", async () => {
  expect(await callsOf([call({ index: 0, id: "a" }, { name: "f", arguments: { x: 1 } })])).toEqual([a]);
});

test("arguments that are no JSON are handed on as the model wrote them", async () => {
  const calls = await callsOf([call({ index: 0, id: "a" }, { name: "f", arguments: "{oops" })]);
  expect(calls).toEqual([{ id: "a", name: "f", arguments: "{oops" }]);
});

test("[I30] ten thousand calls in one answer are refused", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    call({ index, id: `c${index}` }, { name: "f", arguments: "{}" }),
  );
  await expect(callsOf(many)).rejects.toMatchObject({ code: "model_malformed" });
});

test("[I30] a call without a name is malformed", async () => {
  await expect(callsOf([call({ index: 0, id: "a" }, { arguments: "{}" })])).rejects.toMatchObject({
    code: "model_malformed",
  });
});

test("[I30] a call that the length limit cut is malformed, a whole one is not", async () => {
  const ending = (args: string) =>
    stream(
      delta({ tool_calls: [call({ index: 0, id: "a" }, { name: "f", arguments: args })] }),
      finish("length"),
      DONE,
    );
  const { url } = await serve(ending('{"x":'), ending('{"x":1}'));
  const model = modelAt({ url });
  await expect(ask(model)).rejects.toMatchObject({ code: "model_malformed", retryable: true });
  expect((await ask(model)).completion.toolCalls).toEqual([a]);
});
