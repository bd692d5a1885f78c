import { expect, onTestFinished, test, vi } from "vitest";
import type { ChatMessage } from "../../src/core/ports.ts";
import {
  okScript,
  completeStream,
  completeOnce,
  encodeText,
  DONE,
  deltaFrame,
  finishFrame,
  toSseFrame,
  createChunkFetch,
  createTestModel,
  textFrame,
  serveScripts,
  createStreamScript,
  usageFrame,
} from "./scripted-endpoint.ts";

test("text is streamed in order and returned complete, with the usage of the endpoint", async () => {
  const { completion, deltas } = await completeStream(
    deltaFrame({ role: "assistant", content: "" }),
    textFrame("Hel"),
    textFrame("lo"),
    finishFrame(),
    usageFrame(7, 2),
    DONE,
  );
  expect(completion).toEqual({ text: "Hello", toolCalls: [], usage: { inputTokens: 7, outputTokens: 2 } });
  expect(deltas.map((delta) => delta.text).join("")).toBe("Hello");
});

test("the first token is delivered before the rest arrives", async () => {
  let release = () => {};
  const { url } = await serveScripts((response) => {
    createStreamScript()(Object.assign(response, { end: () => response }), response.req, "");
    response.write(textFrame("first"));
    release = () => void response.write(textFrame(" second") + finishFrame() + DONE);
  });
  const texts: string[] = [];
  const completion = createTestModel({ url }).complete(
    { role: "triage", messages: [], signal: new AbortController().signal },
    ({ text }) => {
      texts.push(text);
      release();
    },
  );
  expect((await completion).text).toBe("first second");
  expect(texts).toEqual(["first", " second"]);
});

test("deltas that arrive together are delivered together, by kind and in order", async () => {
  const bytes = [
    deltaFrame({ reasoning_content: "a" }),
    deltaFrame({ reasoning_content: "b" }),
    textFrame("c"),
    textFrame("d"),
    finishFrame(),
    DONE,
  ];
  const { deltas } = await completeOnce(
    createTestModel({ fetch: createChunkFetch(() => [encodeText(bytes.join(""))]) }),
  );
  expect(deltas).toEqual([
    { type: "reasoning", text: "ab" },
    { type: "text", text: "cd" },
  ]);
});

test.each(["reasoning_content", "reasoning", "reasoning_text"])(
  "%s is reasoning and not part of the text",
  async (field) => {
    const { completion, deltas } = await completeStream(
      deltaFrame({ [field]: "hmm" }),
      textFrame("yes"),
      finishFrame(),
      DONE,
    );
    expect(completion.text).toBe("yes");
    expect(deltas).toContainEqual({ type: "reasoning", text: "hmm" });
  },
);

test("a request contains the role, the model, the tools and the messages", async () => {
  const { url, requests } = await serveScripts(okScript);
  const messages: ChatMessage[] = [
    { role: "system", content: "s" },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "seen" },
    { role: "assistant", content: "well" },
  ];
  const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
  await completeOnce(createTestModel({ url }), { role: "agent:天气", messages, tools });
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

test("an empty tool list is omitted, since endpoints reject it", async () => {
  const { url, requests } = await serveScripts(okScript);
  await completeOnce(createTestModel({ url }), { tools: [] });
  expect(JSON.parse(requests[0]?.body ?? "")).not.toHaveProperty("tools");
});

// A Worker that sets no content type sends text/plain.
test.each(["application/json", "Application/JSON", "text/plain;charset=UTF-8", "text/event-stream"])(
  "a single JSON document is accepted in place of a stream: %s",
  async (type) => {
    const reply = {
      choices: [{ message: { role: "assistant", content: "whole", reasoning: "why" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    };
    const { url } = await serveScripts((response) => {
      response.writeHead(200, { "content-type": type });
      response.end(JSON.stringify(reply));
    });
    const { completion, deltas } = await completeOnce(createTestModel({ url }));
    expect(completion).toEqual({ text: "whole", toolCalls: [], usage: { inputTokens: 3, outputTokens: 1 } });
    expect(deltas.map(({ type }) => type)).toEqual(["reasoning", "text"]);
  },
);

test("[T6] usage that the endpoint omits is estimated", async () => {
  const { url } = await serveScripts(createStreamScript(textFrame("x".repeat(40) + "十个字"), finishFrame(), DONE));
  const { completion } = await completeOnce(createTestModel({ url }), {
    messages: [{ role: "user", content: "y".repeat(400) }],
  });
  expect(completion.usage).toEqual({ inputTokens: 100, outputTokens: 13 });
});

test.each([
  ["finish_reason without [DONE]", [textFrame("ok"), finishFrame()]],
  ["[DONE] without finish_reason", [textFrame("ok"), DONE]],
  ["no blank line after the last event", [textFrame("ok"), "data: [DONE]"]],
  ["comments, ids and carriage returns", [": hello\r\n\r\nid: 1\r\n", textFrame("ok").replaceAll("\n", "\r\n"), DONE]],
  ["content in parts", [deltaFrame({ content: [{ type: "text", text: "ok" }, { type: "image" }] }), DONE]],
])("a stream counts as complete with %s", async (_, frames) => {
  expect((await completeStream(...frames)).completion.text).toBe("ok");
});

test("a complete response ends although the connection stays open", async () => {
  const { url } = await serveScripts((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(textFrame("ok") + finishFrame() + DONE);
  });
  const started = Date.now();
  expect((await completeOnce(createTestModel({ url }))).completion.text).toBe("ok");
  expect(Date.now() - started).toBeLessThan(1_000);
});

test.each([
  ["length", "half an", / \[The answer ends here because .* length limit\.\]$/],
  ["length", "答案的一半", / ［回答到此中断：.*长度上限。］$/],
  ["content_filter", "half an", / \[The answer ends here because .* content filter .*\]$/],
])("a completion cut by %s is returned with a note in its language: %s", async (finishReason, text, note) => {
  const { completion, deltas } = await completeStream(textFrame(text), finishFrame(finishReason), DONE);
  expect(completion.text.startsWith(text)).toBe(true);
  expect(completion.text.slice(text.length)).toMatch(note);
  expect(deltas.map((delta) => delta.text).join("")).toBe(completion.text);
});

test("text before a complete tool call has no truncation note when the call ends at the length limit", async () => {
  const call = deltaFrame({ tool_calls: [{ index: 0, id: "c", function: { name: "t", arguments: "{}" } }] });
  expect((await completeStream(textFrame("Let me see."), call, finishFrame("length"), DONE)).completion.text).toBe(
    "Let me see.",
  );
});

test("[I31] a completion does not depend on the chunk boundaries, also inside characters", async () => {
  const answer = [
    deltaFrame({ reasoning_content: "想" }),
    textFrame("Zü").replaceAll("\n", "\r\n"),
    textFrame("rich 🌍"),
    deltaFrame({ tool_calls: [{ index: 0, id: "c", function: { name: "t", arguments: '{"a":"é"}' } }] }, "tool_calls"),
    usageFrame(1, 2),
    DONE,
  ];
  const bytes = encodeText(answer.join(""));
  const expected = {
    text: "Zürich 🌍",
    toolCalls: [{ id: "c", name: "t", arguments: '{"a":"é"}' }],
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  let pieces: Uint8Array[] = [];
  const model = createTestModel({ fetch: createChunkFetch(() => pieces) });
  for (let cut = 0; cut <= bytes.length; cut++) {
    pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect((await completeOnce(model)).completion, `cut at byte ${cut}`).toEqual(expected);
  }
  pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  const { completion, deltas } = await completeOnce(model);
  expect(completion).toEqual(expected);
  expect(deltas.map(({ text }) => text).join("")).toBe("想Zürich 🌍");
});

test("[I31] invalid UTF-8 becomes replacement characters", async () => {
  const [before, after] = textFrame("a?b").split("?");
  const pieces = [encodeText(before ?? ""), Uint8Array.of(0xff), encodeText((after ?? "") + DONE)];
  expect((await completeOnce(createTestModel({ fetch: createChunkFetch(() => pieces) }))).completion.text).toBe(
    "a\ufffdb",
  );
});

test("fields of the wrong type are ignored", async () => {
  const malformed = [
    null,
    7,
    [],
    { choices: "no" },
    { choices: [null] },
    { choices: [{ delta: { content: 4, tool_calls: {} } }] },
  ];
  expect(
    (
      await completeStream(
        ...malformed.map(toSseFrame),
        textFrame("ok"),
        toSseFrame({ usage: { prompt_tokens: "many" } }),
        DONE,
      )
    ).completion.text,
  ).toBe("ok");
});

test.each([
  [1, 0, 0],
  [2, 250, 500],
  [3, 500, 1_000],
])("[I30] attempt %i after a malformed completion waits %i to %i ms", async (attempt, min, max) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const started = Date.now();
  let requestedAt = -1;
  const emptyFetch: typeof fetch = () => {
    requestedAt = Date.now() - started;
    return Promise.resolve(new Response("", { headers: { "content-type": "text/event-stream" } }));
  };
  const completion = completeOnce(createTestModel({ fetch: emptyFetch }), { attempt }).catch(
    (thrown: unknown) => thrown,
  );
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await completion).toMatchObject({ code: "model_interrupted", retryable: true });
  expect(requestedAt).toBeGreaterThanOrEqual(min);
  expect(requestedAt).toBeLessThanOrEqual(max);
});

test("[T5] an abort during the wait before a retry rejects at once without a request", async () => {
  const { url, requests } = await serveScripts(okScript);
  const later = { attempt: 3, signal: AbortSignal.timeout(20) };
  await expect(completeOnce(createTestModel({ url }), later)).rejects.toMatchObject({ name: "TimeoutError" });
  expect(requests).toHaveLength(0);
});
