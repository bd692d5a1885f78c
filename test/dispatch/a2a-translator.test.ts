import { Message, StreamResponse } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";

/** Translates batches of events in A2A's JSON format; each argument arrived together. */
function translate(...portions: unknown[][]): AgentEvent[] {
  const translation = new A2ATranslator("c");
  return portions.flatMap((portion) => translation.translate(portion.map((event) => StreamResponse.fromJSON(event))));
}

const status = (state: string, text?: string, extra: object = {}) => ({
  statusUpdate: {
    taskId: "t",
    contextId: "c",
    status: {
      state: `TASK_STATE_${state}`,
      ...(text === undefined ? {} : { message: { messageId: `m-${text}`, role: "ROLE_AGENT", parts: [{ text }] } }),
    },
    ...extra,
  },
});
const artifact = (text: string, append: boolean, artifactId = "a") => ({
  artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId, parts: [{ text }] }, append },
});
const message = (text: string, messageId = "m") => ({ message: { messageId, role: "ROLE_AGENT", parts: [{ text }] } });
const task = (state: string, extra: object = {}) => ({
  task: { id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` }, ...extra },
});

const accepted = { type: "accepted", remote_task_id: "t" };
const text = (words: string) => ({ type: "text", text: words });
const completed = { type: "completed" };

describe("A2ATranslator text", () => {
  test("takes a plain message as the answer", () => {
    expect(translate([message("hello")])).toEqual([{ type: "accepted" }, text("hello"), completed]);
  });

  test("returns appended text as it arrives, joined per batch", () => {
    expect(
      translate(
        [task("WORKING"), artifact("a", false), artifact("b", true)],
        [artifact("c", true)],
        [status("COMPLETED")],
      ),
    ).toEqual([accepted, text("ab"), text("c"), completed]);
  });

  test("[D1] returns the text of an artifact once that is resent as a whole", () => {
    expect(
      translate([artifact("a", false)], [artifact("a b", false)], [artifact("a b", false)], [status("COMPLETED")]),
    ).toEqual([accepted, text("a"), text(" b"), completed]);
  });

  test("[D1] does not repeat text in the final task", () => {
    const artifacts = [{ artifactId: "a", parts: [{ text: "ab" }] }];
    expect(translate([artifact("a", false), artifact("b", true)], [task("COMPLETED", { artifacts })])).toEqual([
      accepted,
      text("ab"),
      completed,
    ]);
  });

  test("[D1] does not repeat artifact text in the final message", () => {
    expect(translate([artifact("done", false), status("COMPLETED", "done")])).toEqual([
      accepted,
      text("done"),
      completed,
    ]);
  });

  test.each([10, 4_096, 5_000])(
    "[D1] does not repeat a final message without an id after a crash: %i characters",
    (length) => {
      const words = `${"word ".repeat(length / 5).slice(0, length - 2)}.\n`;
      const before = new A2ATranslator("c");
      const input = [task("WORKING"), message(words, "")].map((event) => StreamResponse.fromJSON(event));
      expect(before.translate(input)).toEqual([accepted, text(words)]);
      const resumed = new A2ATranslator("c", before.state);
      const end = StreamResponse.fromJSON(task("COMPLETED"));
      if (end.payload?.$case !== "task" || end.payload.value.status === undefined) throw new Error("no status");
      end.payload.value.status.message = Message.fromJSON(message(words, "").message);
      expect(resumed.translate([end])).toEqual([completed]);
    },
  );

  test("separates artifacts into paragraphs", () => {
    expect(translate([artifact("a", false, "x"), artifact("b", false, "y"), status("COMPLETED", "c")])).toEqual([
      accepted,
      text("a\n\nb\n\nc"),
      completed,
    ]);
  });

  test("takes a finished task as the answer", () => {
    const artifacts = [{ artifactId: "a", parts: [{ text: "42" }] }];
    expect(translate([task("COMPLETED", { artifacts })])).toEqual([accepted, text("42"), completed]);
  });
});

describe("A2ATranslator status", () => {
  test("[D3] returns progress as reasoning", () => {
    expect(translate([status("WORKING", "looking")], [artifact("found", false), status("COMPLETED")])).toEqual([
      accepted,
      { type: "reasoning", text: "looking\n" },
      text("found"),
      completed,
    ]);
  });

  test("[D3] returns progress as the answer if there is no other text", () => {
    expect(translate([status("WORKING", "42"), status("COMPLETED")]).slice(2)).toEqual([text("42"), completed]);
  });

  test.each([
    ["FAILED", "it broke", { type: "failed", reason: "it broke", code: "agent_failed" }],
    [
      "FAILED",
      undefined,
      { type: "failed", reason: "The agent failed without giving a reason.", code: "agent_failed" },
    ],
    [
      "REJECTED",
      "too hard",
      { type: "failed", reason: "The agent declined the task: too hard", code: "agent_rejected" },
    ],
    ["CANCELED", undefined, { type: "failed", reason: "The agent cancelled the task.", code: "agent_cancelled" }],
    [
      "AUTH_REQUIRED",
      "log in",
      { type: "failed", reason: "The agent requires credentials: log in", code: "agent_unauthorized" },
    ],
    ["INPUT_REQUIRED", "Which city?", { type: "input_required", prompt: "Which city?" }],
  ])("translates %s", (state, words, expected) => {
    expect(translate([status(state, words)])).toEqual([accepted, expected]);
  });

  test("[D2] ignores events after the final one", () => {
    expect(translate([status("COMPLETED"), artifact("late", false)], [message("later"), status("FAILED")])).toEqual([
      accepted,
      completed,
    ]);
  });

  test("truncates the failure reason of an agent", () => {
    const [, last] = translate([status("FAILED", "x".repeat(5000))]);
    expect(last?.type === "failed" && last.reason.length).toBe(300);
  });
});

describe("[D4] event of another task", () => {
  const toOtherTask = (event: object) =>
    JSON.parse(JSON.stringify(event).replaceAll('"t"', '"theirs"').replaceAll('"c"', '"their-context"')) as object;
  const other = { artifacts: [{ artifactId: "a", parts: [{ text: "not ours" }] }] };
  const otherMessage = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "not ours" }], taskId: "theirs" };

  test.each<[string, object]>([
    ["a status", toOtherTask(status("WORKING", "not ours"))],
    ["an end", toOtherTask(status("COMPLETED", "not ours"))],
    ["a failure", toOtherTask(status("FAILED", "not ours"))],
    ["a question", toOtherTask(status("INPUT_REQUIRED", "not ours"))],
    ["an artifact", toOtherTask(artifact("not ours", false))],
    ["a task that works", toOtherTask(task("WORKING", other))],
    ["a task that has ended", toOtherTask(task("COMPLETED", other))],
    ["a message", { message: otherMessage }],
  ])("is ignored: %s", (_, event) => {
    const events = translate([task("WORKING"), event, artifact("ours", false)], [event], [status("COMPLETED")]);
    expect(events).toEqual([accepted, text("ours"), completed]);
  });

  test("does not change the task id", () => {
    const translation = new A2ATranslator("c");
    translation.translate(
      [task("WORKING"), toOtherTask(task("WORKING"))].map((event) => StreamResponse.fromJSON(event)),
    );
    expect(translation.taskId).toBe("t");
  });
});

describe("agent that omits ids", () => {
  const removeIds = (event: object) => JSON.parse(JSON.stringify(event).replaceAll('"t"', '""')) as object;

  test("is understood", () => {
    const portion = [removeIds(status("WORKING")), removeIds(artifact("a", false)), removeIds(status("COMPLETED"))];
    expect(translate(portion)).toEqual([{ type: "accepted" }, text("a"), completed]);
  });

  test("is understood if it omits them only in events", () => {
    expect(translate([task("WORKING")], [removeIds(artifact("a", false)), removeIds(status("COMPLETED"))])).toEqual([
      accepted,
      text("a"),
      completed,
    ]);
  });

  test("is polled with the id that it sends later", () => {
    const translation = new A2ATranslator("c");
    const events = [removeIds(status("WORKING")), task("WORKING"), removeIds(task("WORKING"))];
    translation.translate(events.map((event) => StreamResponse.fromJSON(event)));
    expect(translation.taskId).toBe("t");
  });
});

describe("data and file parts", () => {
  test("become components with stable ids", () => {
    const parts = [
      { data: { rows: [1] } },
      { url: "https://x.dev/a.png", filename: "a.png", mediaType: "image/png" },
      { raw: "aGk=", mediaType: "text/plain" },
    ];
    const event = {
      artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts }, append: false },
    };
    expect(translate([event])).toEqual([
      accepted,
      { type: "component", component_type: "data", content: '{"rows":[1]}', component_id: "t-a-0" },
      {
        type: "component",
        component_type: "file",
        content: '{"name":"a.png","media_type":"image/png","url":"https://x.dev/a.png"}',
        component_id: "t-a-1",
      },
      {
        type: "component",
        component_type: "file",
        content: '{"name":"","media_type":"text/plain","bytes":"aGk="}',
        component_id: "t-a-2",
      },
    ]);
  });
});

describe("parts of an artifact", () => {
  const part = (value: unknown, append: boolean) => ({
    artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ data: value }] }, append },
  });
  const component = (content: string, n: number) => ({
    type: "component",
    component_type: "data",
    content,
    component_id: `t-a-${n}`,
  });
  const createWholeTask = (state: string) =>
    task(state, { artifacts: [{ artifactId: "a", parts: [{ data: 1 }, { data: 2 }] }] });

  test("become separate components when appended, as in the whole task", () => {
    expect(translate([part(1, false)], [part(2, true)])).toEqual([accepted, component("1", 0), component("2", 1)]);
    expect(translate([createWholeTask("WORKING")])).toEqual([accepted, component("1", 0), component("2", 1)]);
  });

  test("[D1] are returned once across polls and again when they change", () => {
    expect(
      translate(
        [part(1, false)],
        [part(2, true)],
        [createWholeTask("WORKING")],
        [createWholeTask("WORKING")],
        [part(3, false)],
      ),
    ).toEqual([accepted, component("1", 0), component("2", 1), component("3", 0)]);
  });
});

test("[D1] A2ATranslator returns progress without an id once across polls", () => {
  const working = (words: string) => {
    const { messageId: _, ...removeIds } = message(words).message;
    return { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING", message: removeIds } } };
  };
  expect(translate([working("half")], [working("half")], [working("most")])).toEqual([
    accepted,
    { type: "reasoning", text: "half\n" },
    { type: "reasoning", text: "most\n" },
  ]);
});

describe("Orrery extension", () => {
  const createExtensionMetadata = (event: unknown) => ({ metadata: { "urn:orrery:a2a:events:1": event } });

  test("passes its events through unchanged", () => {
    const call = { type: "tool_started", call_id: "c1", tool: "t", arguments: "{}" };
    const usage = { type: "usage", usage: { model_calls: 1, input_tokens: 2, output_tokens: 3 } };
    expect(
      translate([
        status("WORKING", undefined, createExtensionMetadata(call)),
        status("WORKING", undefined, createExtensionMetadata(usage)),
        status("COMPLETED"),
      ]),
    ).toEqual([accepted, call, usage, completed]);
  });

  test("returns a notification once although the message contains its text", () => {
    const event = { type: "notification", text: "half way" };
    expect(translate([status("WORKING", "half way", createExtensionMetadata(event))])).toEqual([accepted, event]);
  });

  test("ignores a final event in a working status", () => {
    expect(
      translate([
        status("WORKING", undefined, createExtensionMetadata({ type: "failed", reason: "no" })),
        status("COMPLETED"),
      ]),
    ).toEqual([accepted, completed]);
  });

  test("keeps the code of a failure and the options of a question", () => {
    const failure = { type: "failed", reason: "no money", code: "agent_exhausted" };
    expect(translate([status("FAILED", "no money", createExtensionMetadata(failure))])).toEqual([accepted, failure]);
    const question = { type: "input_required", prompt: "Which?", options: ["a", "b"] };
    expect(translate([status("INPUT_REQUIRED", "Which?", createExtensionMetadata(question))])).toEqual([
      accepted,
      question,
    ]);
  });

  test("returns the events of a finished task", () => {
    const event = { type: "component", component_type: "report", content: "{}" };
    expect(translate([task("COMPLETED", createExtensionMetadata([event]))])).toEqual([accepted, event, completed]);
  });
});
