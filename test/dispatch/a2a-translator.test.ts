import { Message, StreamResponse } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";

/** Each argument is a portion that arrived together, in A2A's own JSON. */
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

describe("text", () => {
  test("a plain message is an answer", () => {
    expect(translate([message("hello")])).toEqual([{ type: "accepted" }, text("hello"), completed]);
  });

  test("appended artifacts are told as they grow, joined when they arrive together", () => {
    expect(
      translate(
        [task("WORKING"), artifact("a", false), artifact("b", true)],
        [artifact("c", true)],
        [status("COMPLETED")],
      ),
    ).toEqual([accepted, text("ab"), text("c"), completed]);
  });

  test("D1: an artifact that grows by being sent whole is told once", () => {
    expect(
      translate([artifact("a", false)], [artifact("a b", false)], [artifact("a b", false)], [status("COMPLETED")]),
    ).toEqual([accepted, text("a"), text(" b"), completed]);
  });

  test("D1: the whole task at the end repeats nothing", () => {
    const artifacts = [{ artifactId: "a", parts: [{ text: "ab" }] }];
    expect(translate([artifact("a", false), artifact("b", true)], [task("COMPLETED", { artifacts })])).toEqual([
      accepted,
      text("ab"),
      completed,
    ]);
  });

  test("D1: a last message that says what the artifact said repeats nothing", () => {
    expect(translate([artifact("done", false), status("COMPLETED", "done")])).toEqual([
      accepted,
      text("done"),
      completed,
    ]);
  });

  test.each([10, 4_096, 5_000])(
    "D1: a last message without an id that says again what was said is not told again after a crash: %i characters",
    (length) => {
      const words = `${"word ".repeat(length / 5).slice(0, length - 2)}.\n`;
      const before = new A2ATranslator("c");
      const said = [task("WORKING"), message(words, "")].map((event) => StreamResponse.fromJSON(event));
      expect(before.translate(said)).toEqual([accepted, text(words)]);
      const again = new A2ATranslator("c", before.state);
      const end = StreamResponse.fromJSON(task("COMPLETED"));
      if (end.payload?.$case !== "task" || end.payload.value.status === undefined) throw new Error("no status");
      end.payload.value.status.message = Message.fromJSON(message(words, "").message);
      expect(again.translate([end])).toEqual([completed]);
    },
  );

  test("artifacts of different names are paragraphs", () => {
    expect(translate([artifact("a", false, "x"), artifact("b", false, "y"), status("COMPLETED", "c")])).toEqual([
      accepted,
      text("a\n\nb\n\nc"),
      completed,
    ]);
  });

  test("a task that comes finished is an answer", () => {
    const artifacts = [{ artifactId: "a", parts: [{ text: "42" }] }];
    expect(translate([task("COMPLETED", { artifacts })])).toEqual([accepted, text("42"), completed]);
  });
});

describe("status", () => {
  test("D3: progress is reasoning", () => {
    expect(translate([status("WORKING", "looking")], [artifact("found", false), status("COMPLETED")])).toEqual([
      accepted,
      { type: "reasoning", text: "looking\n" },
      text("found"),
      completed,
    ]);
  });

  test("D3: progress is the answer when nothing else was said", () => {
    expect(translate([status("WORKING", "42"), status("COMPLETED")]).slice(2)).toEqual([text("42"), completed]);
  });

  test.each([
    ["FAILED", "it broke", { type: "failed", reason: "it broke", code: "agent_failed" }],
    ["FAILED", undefined, { type: "failed", reason: "The agent failed and gave no reason.", code: "agent_failed" }],
    [
      "REJECTED",
      "too hard",
      { type: "failed", reason: "The agent declined the task: too hard", code: "agent_rejected" },
    ],
    ["CANCELED", undefined, { type: "failed", reason: "The agent cancelled the task.", code: "agent_cancelled" }],
    [
      "AUTH_REQUIRED",
      "log in",
      { type: "failed", reason: "The agent asks for credentials: log in", code: "agent_unauthorized" },
    ],
    ["INPUT_REQUIRED", "Which city?", { type: "input_required", prompt: "Which city?" }],
  ])("%s", (state, words, expected) => {
    expect(translate([status(state, words)])).toEqual([accepted, expected]);
  });

  test("D2: nothing follows the last word", () => {
    expect(translate([status("COMPLETED"), artifact("late", false)], [message("later"), status("FAILED")])).toEqual([
      accepted,
      completed,
    ]);
  });

  test("a stranger's reason is cut to a sentence", () => {
    const [, last] = translate([status("FAILED", "x".repeat(5000))]);
    expect(last?.type === "failed" && last.reason.length).toBe(300);
  });
});

describe("D4: what is told of another task", () => {
  const foreign = (event: object) =>
    JSON.parse(JSON.stringify(event).replaceAll('"t"', '"theirs"').replaceAll('"c"', '"their-context"')) as object;
  const other = { artifacts: [{ artifactId: "a", parts: [{ text: "not ours" }] }] };
  const ofOther = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "not ours" }], taskId: "theirs" };

  test.each<[string, object]>([
    ["a status", foreign(status("WORKING", "not ours"))],
    ["an end", foreign(status("COMPLETED", "not ours"))],
    ["a failure", foreign(status("FAILED", "not ours"))],
    ["a question", foreign(status("INPUT_REQUIRED", "not ours"))],
    ["an artifact", foreign(artifact("not ours", false))],
    ["a task that works", foreign(task("WORKING", other))],
    ["a task that has ended", foreign(task("COMPLETED", other))],
    ["a message", { message: ofOther }],
  ])("%s does not count", (_, event) => {
    const events = translate([task("WORKING"), event, artifact("ours", false)], [event], [status("COMPLETED")]);
    expect(events).toEqual([accepted, text("ours"), completed]);
  });

  test("nor does it become the task that is asked for", () => {
    const translation = new A2ATranslator("c");
    translation.translate([task("WORKING"), foreign(task("WORKING"))].map((event) => StreamResponse.fromJSON(event)));
    expect(translation.taskId).toBe("t");
  });
});

describe("an agent that leaves ids out", () => {
  const nameless = (event: object) => JSON.parse(JSON.stringify(event).replaceAll('"t"', '""')) as object;

  test("is heard all the same", () => {
    const portion = [nameless(status("WORKING")), nameless(artifact("a", false)), nameless(status("COMPLETED"))];
    expect(translate(portion)).toEqual([{ type: "accepted" }, text("a"), completed]);
  });

  test("in its events, but not in its task, is heard as well", () => {
    expect(translate([task("WORKING")], [nameless(artifact("a", false)), nameless(status("COMPLETED"))])).toEqual([
      accepted,
      text("a"),
      completed,
    ]);
  });

  test("at first is asked for by the id that it tells later", () => {
    const translation = new A2ATranslator("c");
    const events = [nameless(status("WORKING")), task("WORKING"), nameless(task("WORKING"))];
    translation.translate(events.map((event) => StreamResponse.fromJSON(event)));
    expect(translation.taskId).toBe("t");
  });
});

describe("attachments", () => {
  test("data and files become components whose ids replace", () => {
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

describe("attachments of an artifact", () => {
  const part = (value: unknown, append: boolean) => ({
    artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ data: value }] }, append },
  });
  const component = (content: string, n: number) => ({
    type: "component",
    component_type: "data",
    content,
    component_id: `t-a-${n}`,
  });
  const whole = (state: string) => task(state, { artifacts: [{ artifactId: "a", parts: [{ data: 1 }, { data: 2 }] }] });

  test("that come piece by piece stand side by side, as in the task that shows them all", () => {
    expect(translate([part(1, false)], [part(2, true)])).toEqual([accepted, component("1", 0), component("2", 1)]);
    expect(translate([whole("WORKING")])).toEqual([accepted, component("1", 0), component("2", 1)]);
  });

  test("D1: are told once, however often the task is asked for, and again once they differ", () => {
    expect(
      translate([part(1, false)], [part(2, true)], [whole("WORKING")], [whole("WORKING")], [part(3, false)]),
    ).toEqual([accepted, component("1", 0), component("2", 1), component("3", 0)]);
  });
});

test("D1: progress without an id is told once, however often the task is asked for", () => {
  const working = (words: string) => {
    const { messageId: _, ...nameless } = message(words).message;
    return { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING", message: nameless } } };
  };
  expect(translate([working("half")], [working("half")], [working("most")])).toEqual([
    accepted,
    { type: "reasoning", text: "half\n" },
    { type: "reasoning", text: "most\n" },
  ]);
});

describe("our extension", () => {
  const ours = (event: unknown) => ({ metadata: { "urn:orrery:a2a:events:1": event } });

  test("its events pass through whole", () => {
    const call = { type: "tool_started", call_id: "c1", tool: "t", arguments: "{}" };
    const usage = { type: "usage", usage: { model_calls: 1, input_tokens: 2, output_tokens: 3 } };
    expect(
      translate([
        status("WORKING", undefined, ours(call)),
        status("WORKING", undefined, ours(usage)),
        status("COMPLETED"),
      ]),
    ).toEqual([accepted, call, usage, completed]);
  });

  test("a notification is told once, though its words also stand in the message", () => {
    const event = { type: "notification", text: "half way" };
    expect(translate([status("WORKING", "half way", ours(event))])).toEqual([accepted, event]);
  });

  test("a working status cannot smuggle in a last word", () => {
    expect(
      translate([status("WORKING", undefined, ours({ type: "failed", reason: "no" })), status("COMPLETED")]),
    ).toEqual([accepted, completed]);
  });

  test("a failure keeps its code, a question its options", () => {
    const failure = { type: "failed", reason: "no money", code: "agent_exhausted" };
    expect(translate([status("FAILED", "no money", ours(failure))])).toEqual([accepted, failure]);
    const question = { type: "input_required", prompt: "Which?", options: ["a", "b"] };
    expect(translate([status("INPUT_REQUIRED", "Which?", ours(question))])).toEqual([accepted, question]);
  });

  test("a finished task brings its events along", () => {
    const event = { type: "component", component_type: "report", content: "{}" };
    expect(translate([task("COMPLETED", ours([event]))])).toEqual([accepted, event, completed]);
  });
});
