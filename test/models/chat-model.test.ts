import { expect, test } from "vitest";
import type { ChatMessage } from "../../src/core/ports.ts";
import {
  ask,
  bytesOf,
  DONE,
  delta,
  finish,
  frame,
  inPieces,
  modelAt,
  say,
  serve,
  stream,
  usage,
} from "./scripted-endpoint.ts";

test("text is heard in order and returned whole, with the endpoint's usage", async () => {
  const { url } = await serve(
    stream(delta({ role: "assistant", content: "" }), say("Hel"), say("lo"), finish(), usage(7, 2), DONE),
  );
  const { completion, deltas } = await ask(modelAt({ url }));
  expect(completion).toEqual({ text: "Hello", toolCalls: [], usage: { inputTokens: 7, outputTokens: 2 } });
  expect(deltas.map((heard) => heard.text).join("")).toBe("Hello");
});

test("the first token is heard while the rest is still to come", async () => {
  let release = () => {};
  const { url } = await serve((response) => {
    stream()(Object.assign(response, { end: () => response }), response.req, "");
    response.write(say("first"));
    release = () => void response.write(say(" second") + finish() + DONE);
  });
  const heard: string[] = [];
  const whole = modelAt({ url }).complete(
    { role: "triage", messages: [], signal: new AbortController().signal },
    ({ text }) => {
      heard.push(text);
      release();
    },
  );
  expect((await whole).text).toBe("first second");
  expect(heard).toEqual(["first", " second"]);
});

test("deltas that arrive together are told together, by kind and in order", async () => {
  const bytes = [
    delta({ reasoning_content: "a" }),
    delta({ reasoning_content: "b" }),
    say("c"),
    say("d"),
    finish(),
    DONE,
  ];
  const { deltas } = await ask(modelAt({ fetch: inPieces(() => [bytesOf(bytes.join(""))]) }));
  expect(deltas).toEqual([
    { type: "reasoning", text: "ab" },
    { type: "text", text: "cd" },
  ]);
});

test.each(["reasoning_content", "reasoning", "reasoning_text"])(
  "%s is reasoning, and no part of the text",
  async (field) => {
    const { url } = await serve(stream(delta({ [field]: "hmm" }), say("yes"), finish(), DONE));
    const { completion, deltas } = await ask(modelAt({ url }));
    expect(completion.text).toBe("yes");
    expect(deltas).toContainEqual({ type: "reasoning", text: "hmm" });
  },
);

test("a request says who asks, which model, with which tools and messages", async () => {
  const { url, requests } = await serve(stream(say("ok"), finish(), DONE));
  const messages: ChatMessage[] = [
    { role: "system", content: "s" },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "seen" },
    { role: "assistant", content: "well" },
  ];
  const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
  await ask(modelAt({ url }), { role: "agent:天气", messages, tools });
  const sent = requests[0];
  expect(sent?.headers["x-orrery-role"]).toBe("agent:%E5%A4%A9%E6%B0%94");
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    model: "test-model",
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: "function", function: { name: "look", description: "Looks", parameters: { type: "object" } } }],
    messages: [
      { role: "system", content: "s" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "seen" },
      { role: "assistant", content: "well" },
    ],
  });
});

test("no tools means no tools field: endpoints refuse an empty list", async () => {
  const { url, requests } = await serve(stream(say("ok"), finish(), DONE));
  await ask(modelAt({ url }), { tools: [] });
  expect(JSON.parse(requests[0]?.body ?? "")).not.toHaveProperty("tools");
});

// What a Worker writes without a word on its type is plain text.
test.each(["application/json", "Application/JSON", "text/plain;charset=UTF-8", "text/event-stream"])(
  "one document in reply to a request for a stream is an answer too: %s",
  async (type) => {
    const reply = {
      choices: [{ message: { role: "assistant", content: "whole", reasoning: "why" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    };
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": type });
      response.end(JSON.stringify(reply));
    });
    const { completion, deltas } = await ask(modelAt({ url }));
    expect(completion).toEqual({ text: "whole", toolCalls: [], usage: { inputTokens: 3, outputTokens: 1 } });
    expect(deltas.map(({ type }) => type)).toEqual(["reasoning", "text"]);
  },
);

test("[T6] usage that the endpoint does not give is estimated", async () => {
  const { url } = await serve(stream(say("x".repeat(40) + "十个字"), finish(), DONE));
  const { completion } = await ask(modelAt({ url }), { messages: [{ role: "user", content: "y".repeat(400) }] });
  expect(completion.usage).toEqual({ inputTokens: 100, outputTokens: 13 });
});

test.each([
  ["finish_reason without [DONE]", [say("ok"), finish()]],
  ["[DONE] without finish_reason", [say("ok"), DONE]],
  ["no blank line after the last event", [say("ok"), "data: [DONE]"]],
  ["comments, ids and carriage returns", [": hello\r\n\r\nid: 1\r\n", say("ok").replaceAll("\n", "\r\n"), DONE]],
  ["content in parts", [delta({ content: [{ type: "text", text: "ok" }, { type: "image" }] }), DONE]],
])("a stream counts as complete with %s", async (_, frames) => {
  const { url } = await serve(stream(...frames));
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
});

test("an answer that is complete is not held up by a connection that stays open", async () => {
  const { url } = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(say("ok") + finish() + DONE);
  });
  const started = Date.now();
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
  expect(Date.now() - started).toBeLessThan(1_000);
});

test.each([
  ["length", "half an", / \[The answer breaks off here: .* length limit\.\]$/],
  ["length", "答案的一半", / ［回答在此中断：.*长度上限。］$/],
  ["content_filter", "half an", / \[The answer breaks off here: .* content filter .*\]$/],
])("an answer cut by %s is returned as far as it goes, and says so in its language: %s", async (why, text, note) => {
  const { url } = await serve(stream(say(text), finish(why), DONE));
  const { completion, deltas } = await ask(modelAt({ url }));
  expect(completion.text.startsWith(text)).toBe(true);
  expect(completion.text.slice(text.length)).toMatch(note);
  expect(deltas.map((delta) => delta.text).join("")).toBe(completion.text);
});

test("words before a whole tool call are not cut off where the call ends at the length limit", async () => {
  const call = delta({ tool_calls: [{ index: 0, id: "c", function: { name: "t", arguments: "{}" } }] });
  const { url } = await serve(stream(say("Let me see."), call, finish("length"), DONE));
  expect((await ask(modelAt({ url }))).completion.text).toBe("Let me see.");
});

test("[I31] an answer reads the same wherever its bytes are cut, inside characters too", async () => {
  const answer = [
    delta({ reasoning_content: "想" }),
    say("Zü").replaceAll("\n", "\r\n"),
    say("rich 🌍"),
    delta({ tool_calls: [{ index: 0, id: "c", function: { name: "t", arguments: '{"a":"é"}' } }] }, "tool_calls"),
    usage(1, 2),
    DONE,
  ];
  const bytes = bytesOf(answer.join(""));
  const expected = {
    text: "Zürich 🌍",
    toolCalls: [{ id: "c", name: "t", arguments: '{"a":"é"}' }],
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  let pieces: Uint8Array[] = [];
  const model = modelAt({ fetch: inPieces(() => pieces) });
  for (let cut = 0; cut <= bytes.length; cut++) {
    pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect((await ask(model)).completion, `cut at byte ${cut}`).toEqual(expected);
  }
  pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  const { completion, deltas } = await ask(model);
  expect(completion).toEqual(expected);
  expect(deltas.map(({ text }) => text).join("")).toBe("想Zürich 🌍");
});

test("[I31] bytes that are no UTF-8 become replacement characters", async () => {
  const [before, after] = say("a?b").split("?");
  const pieces = [bytesOf(before ?? ""), Uint8Array.of(0xff), bytesOf((after ?? "") + DONE)];
  expect((await ask(modelAt({ fetch: inPieces(() => pieces) }))).completion.text).toBe("a\ufffdb");
});

test("fields of the wrong type are fields that are not there", async () => {
  const odd = [
    null,
    7,
    [],
    { choices: "no" },
    { choices: [null] },
    { choices: [{ delta: { content: 4, tool_calls: {} } }] },
  ];
  const { url } = await serve(stream(...odd.map(frame), say("ok"), frame({ usage: { prompt_tokens: "many" } }), DONE));
  expect((await ask(modelAt({ url }))).completion.text).toBe("ok");
});
