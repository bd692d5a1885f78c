// The agent of `examples/conformance-worker` behind the runtime: each of its cases over both bindings of A2A.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { BINDINGS } from "./a2a-bindings.ts";
import { assertPresent, createSendParams } from "./a2a-setup.ts";

let runtime: Runtime;
let url: string;

beforeAll(async () => {
  const worker = {
    config: "examples/conformance-worker/wrangler.toml",
    entry: "examples/conformance-worker/conformance.ts",
  };
  runtime = await startRuntime({
    siblings: { "orrery-conformance": worker },
    agents: { AGENT_CONFORMANCE: "orrery-conformance" },
  });
  url = `${runtime.url}/a2a/conformance`;
});
afterAll(() => runtime.stop());

describe.each(BINDINGS)("over %s", (_name, { call, stream }) => {
  const send = async (text: string, more: object = {}, rest: object = {}) =>
    assertPresent((await call(url, "SendMessage", createSendParams(text, more, rest))).result).task;

  test.each([
    ["anything", { text: "Hello from TCK" }],
    ["artifact-text", { text: "Generated text content" }],
    ["artifact-chunked", { text: "chunk-1 chunk-2" }],
    ["artifact-file", { raw: "Q29udGVudCBvZiB0aGUgZmlsZQ==", filename: "output.txt", mediaType: "text/plain" }],
    ["artifact-file-url", { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" }],
    ["artifact-data", { data: { key: "value", count: 42 }, mediaType: "application/json" }],
  ])("§4.1.6 the case %s returns an artifact with its part", async (text, part) => {
    const { status, artifacts } = await send(text);
    expect([status.state, artifacts?.map(({ parts }) => parts)]).toEqual(["TASK_STATE_COMPLETED", [[part]]]);
    const { events } = await stream(url, "SendStreamingMessage", createSendParams(text));
    const parts = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    const texts = parts.map(({ text: chunk }) => chunk).join("");
    expect(texts === "" ? parts : [{ text: texts }]).toEqual([part]);
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("§3.4 a question is asked until an answer names another case", async () => {
    const { id, status } = await send("input-required");
    expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await send("input-required", { taskId: id })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const ended = await send("artifact-text", { taskId: id });
    expect([ended.id, ended.status.state, ended.history?.length]).toEqual([id, "TASK_STATE_COMPLETED", 5]);
  });

  test("[T5] §3.1.5 a task works until it is cancelled", async () => {
    const { id } = await send("until-cancelled", {}, { configuration: { returnImmediately: true } });
    const reader = stream(url, "SubscribeToTask", { id });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await call(url, "GetTask", { id })).result?.status.state).toBe("TASK_STATE_WORKING");
    expect((await call(url, "CancelTask", { id })).result?.status.state).toBe("TASK_STATE_CANCELED");
    expect((await reader).events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("[T3] §4.1.3 a task that the agent rejects has failed", async () => {
    expect((await send("reject-task")).status.state).toBe("TASK_STATE_FAILED");
  });
});
