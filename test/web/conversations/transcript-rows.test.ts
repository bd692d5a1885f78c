// The rows of a transcript. Unchanged rows keep their identity, so that they are not rendered again.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventName } from "../../../src/protocol/wire/events.ts";
import { foldFrames, EMPTY_VIEW, type ConversationView } from "../../../src/protocol/wire/view.ts";
import type { TranscriptRow } from "../../../src/web/features/conversations/transcript/transcript-row.ts";
import {
  createRowBuilder,
  buildRows,
} from "../../../src/web/features/conversations/transcript/build-transcript-rows.ts";
import { ChatLog } from "./chat-log.ts";

const PLAIN = { outgoing: [], hidesSteps: false };
const listKinds = (view: ConversationView, options = PLAIN) => buildRows(view, options).map(({ kind }) => kind);

const createSingleTaskLog = () =>
  new ChatLog()
    .startThread("What is 12 * 34?")
    .addEvent("triage_completed", {
      decision: "handoff_to_planner",
      strategy: "single_agent",
      selected_agents: ["assistant"],
    })
    .addEvent("tool_call_started", { tool_call_id: "c", tool_name: "generate_execution_plan" }, { item: "c" })
    .plan("th", { task_id: "task", agent_name: "assistant" })
    .addEvent("task_started", {}, { task: "task", agent: "assistant" })
    .addEvent("tool_call_started", { tool_call_id: "d", tool_name: "connect_agent" }, { task: "task", item: "d" })
    .addEvent("reasoning", { content: "Hm." }, { task: "task", agent: "assistant", item: "why" })
    .addEvent("reasoning_completed", {}, { task: "task", agent: "assistant", item: "why" })
    .addEvent(
      "tool_call_started",
      { tool_call_id: "e", tool_name: "calculate" },
      { task: "task", agent: "assistant", item: "e" },
    )
    .addEvent(
      "tool_call_completed",
      { tool_name: "calculate", tool_result: "[]" },
      { task: "task", agent: "assistant", item: "e" },
    )
    .addText("408");

describe("rows of a thread", () => {
  test("show the work of one agent in order and end with a summary row", () => {
    const log = createSingleTaskLog();
    expect(listKinds(log.view())).toEqual(["message", "plan", "reasoning", "tool", "text", "working"]);
    log.addEvent("task_completed", {}, { task: "task", agent: "assistant" }).endThread();
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "reasoning", "tool", "text", "end"]);
    expect(rows.at(-1)).toMatchObject({ answer: "408", outcome: "answered" });
  });

  test("name an agent only where the speaker changes", () => {
    const speakers = buildRows(createSingleTaskLog().view(), PLAIN).flatMap((row) =>
      "speaker" in row ? [row.speaker] : [],
    );
    expect(speakers).toEqual([undefined, undefined, undefined]);
    const direct = new ChatLog()
      .startThread("Hi")
      .addText("One", { item: "a" })
      .addText("Two", { item: "b" })
      .addText("Three", { item: "c", agent: "other" });
    const changes = buildRows(direct.view(), PLAIN).flatMap((row) => ("speaker" in row ? [row.speaker] : []));
    expect(changes).toEqual(["assistant", undefined, "other"]);
    const questionLog = createSingleTaskLog().addEvent(
      "task_waiting",
      { content: "Sure?", request_id: "r" },
      { task: "task", agent: "assistant" },
    );
    questionLog.addText("Yes.", { item: "after" });
    expect(buildRows(questionLog.view(), PLAIN).at(-2)).toMatchObject({ kind: "text", speaker: undefined });
  });

  test("keep the answer under its speaker if steps are hidden", () => {
    const rows = buildRows(createSingleTaskLog().view(), { ...PLAIN, hidesSteps: true });
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "text", "working"]);
    expect(rows[2]).toMatchObject({ speaker: undefined });
  });

  test("leave the items of several tasks to the plan card and show the synthesis", () => {
    const log = new ChatLog()
      .startThread("Both")
      .plan("th", { task_id: "a" }, { task_id: "b" })
      .addText("one", { task: "a", item: "ia" })
      .addText("two", { task: "b", item: "ib" })
      .addText("Both are done.", { task: "synthesis", agent: "SuperAgent", item: "sum" })
      .endThread();
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "text", "end"]);
    expect(rows.at(-1)).toMatchObject({ answer: "Both are done." });
  });

  test("show questions, components, verification and failures in event order", () => {
    const log = new ChatLog()
      .startThread("Pay")
      .addEvent("plan_require_user_input", { content: "How much?", request_id: "req" }, { agent: "Planner" })
      .addEvent("message", { content: "20" }, { role: "user", metadata: { request_id: "req" } })
      .plan("th", { task_id: "task" })
      .addEvent("component_generator", { component_type: "page", content: "{}" }, { task: "task", agent: "assistant" })
      .addEvent("task_failed", { content: "It broke." }, { task: "task", agent: "assistant" })
      .addEvent("verification_completed", { summary: "", results: [] })
      .addEvent("system_failed", { content: "Not verified.", code: "verification_failed" })
      .endThread();
    const rows = buildRows(log.view(), PLAIN);
    const expected = ["message", "question", "plan", "component", "failure", "verification", "failure", "end"];
    expect(rows.map(({ kind }) => kind)).toEqual(expected);
    expect(rows.filter(({ kind }) => kind === "failure")).toMatchObject([
      { resend: { message: "Pay" } },
      { resend: { message: "Pay" } },
    ]);
    expect(rows.at(-1)).toMatchObject({ outcome: "failed" });
  });

  test("offer no retry while the thread is open, and none for a scheduled run", () => {
    const addFailure = (log: ChatLog) =>
      log.plan("th", { task_id: "task" }).addEvent("task_failed", { content: "No." }, { task: "task" });
    const open = addFailure(new ChatLog().startThread("Pay"));
    expect(buildRows(open.view(), PLAIN).find(({ kind }) => kind === "failure")).toMatchObject({ resend: undefined });
    const run = addFailure(
      new ChatLog().addEvent("thread_started", { content: "Every day" }, { role: "system" }),
    ).endThread();
    const rows = buildRows(run.view(), PLAIN);
    expect(rows[0]).toMatchObject({ kind: "run" });
    expect(rows.find(({ kind }) => kind === "failure")).toMatchObject({ resend: undefined });
  });

  test("offer to repeat a thread without a complete answer, with its agent and verification option", () => {
    const options = { task: "ask", role: "user", metadata: { agent: "toolsmith" } };
    const log = new ChatLog().addEvent("thread_started", { content: "Count" }, options).endThread();
    expect(buildRows(log.view(), PLAIN).at(-1)).toMatchObject({ resend: { message: "Count", agent: "toolsmith" } });
    const parts = new ChatLog().startThread("Both").plan("th", { task_id: "a" }, { task_id: "b", status: "failed" });
    const end = buildRows(parts.addText("Half.", { task: "sum", item: "sum" }).endThread().view(), PLAIN).at(-1);
    expect(end).toMatchObject({ outcome: "answered", resend: { message: "Both" } });
    const { plans, ...rest } = parts.view();
    const verified = { ...rest, plans: plans.map((plan) => ({ ...plan, verify: true })) };
    expect(buildRows(verified, PLAIN).at(-1)).toMatchObject({ resend: { message: "Both", verify: true } });
    expect(buildRows(createSingleTaskLog().endThread().view(), PLAIN).at(-1)).toMatchObject({ resend: undefined });
  });

  test("state whether a cancelled thread had begun", () => {
    const early = new ChatLog().startThread("First").startThread("Second", "th-2").endThread("th-2", true);
    expect(buildRows(early.view(), PLAIN).at(-1)).toMatchObject({ kind: "end", outcome: "never begun" });
    expect(buildRows(new ChatLog().startThread("First").endThread().view(), PLAIN).at(-1)).toMatchObject({
      outcome: "stopped",
    });
  });
});

describe("rows of open and stopped threads", () => {
  test("mark a message behind an open thread as queued and stay above it", () => {
    const log = new ChatLog().startThread("First").startThread("Second", "th-2").addText("So");
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "text", "working", "message"]);
    expect(rows.flatMap((row) => (row.kind === "message" ? [row.isQueued] : []))).toEqual([false, true]);
    const next = buildRows(log.endThread().view(), PLAIN);
    expect(next.flatMap((row) => (row.kind === "message" ? [row.isQueued] : []))).toEqual([false, false]);
    expect(next.at(-1)).toMatchObject({ kind: "working", activity: { kind: "thinking" } });
  });

  test("do not mark a message behind a scheduled run as queued", () => {
    const log = new ChatLog()
      .addEvent("thread_started", { content: "Daily" }, { role: "system" })
      .startThread("Hello", "th-2");
    expect(buildRows(log.view(), PLAIN).find(({ kind }) => kind === "message")).toMatchObject({ isQueued: false });
  });

  test("mark an interrupted answer as stopped and offer to repeat the message", () => {
    const usage = { model_calls: 1, input_tokens: 1, output_tokens: 1, tasks: 0, duration_ms: 5 };
    const stopped = new ChatLog().startThread("First").addText("Half a");
    stopped.addEvent("done", {}, { role: "system", metadata: { cancelled: true, usage } });
    const end = buildRows(stopped.view(), PLAIN).at(-1);
    expect(end).toMatchObject({ kind: "end", outcome: "stopped", answer: "Half a", resend: { message: "First" } });
    const completeEnd = buildRows(new ChatLog().startThread("First").addText("All").endThread().view(), PLAIN).at(-1);
    expect(completeEnd).toMatchObject({ outcome: "answered", resend: undefined });
  });

  test("omit the handoff to the only agent of a plan and show a handoff to another agent", () => {
    const createHandoff = (agent_name: string) => ({
      component_type: "subagent_conversation",
      content: JSON.stringify({ conversation_id: "sub", agent_name, phase: "start" }),
    });
    const log = new ChatLog().startThread("First").plan("th", { task_id: "a", agent_name: "one" });
    log.addEvent("component_generator", createHandoff("one"), { task: "a", agent: "one" });
    expect(listKinds(log.view())).not.toContain("component");
    log.addEvent("component_generator", createHandoff("two"), { task: "a", agent: "one" });
    expect(listKinds(log.view())).toContain("component");
  });

  test("end with the outgoing messages", () => {
    const outgoing = [{ key: "cmd-1", text: "Hello", status: "sending" as const }];
    expect(listKinds(new ChatLog().startThread("First").view(), { outgoing, hidesSteps: false } as never)).toEqual([
      "message",
      "working",
      "outgoing",
    ]);
  });
});

describe("row builder", () => {
  test("replaces only the row that a new token belongs to", () => {
    const log = new ChatLog();
    for (let i = 0; i < 200; i++)
      log
        .startThread(`Question ${i}`, `th-${i}`)
        .addText("Answer", { item: `t-${i}`, thread: `th-${i}` })
        .endThread(`th-${i}`);
    log.startThread("Last", "last").addText("A", { thread: "last", item: "tl" });
    const view = buildInitialRows(log);
    log.addText(" token", { thread: "last", item: "tl" });
    const after = view.rows(foldFrames(view.view, [log.frames.at(-1) ?? expect.fail()]));
    const changed = after.filter((row, i) => row !== view.before[i]);
    expect(after).toHaveLength(view.before.length);
    expect(changed.map(({ kind }) => kind)).toEqual(["text"]);
  });

  test("returns the same list if no visible state changed", () => {
    const { rows, view, before } = buildInitialRows(createSingleTaskLog());
    expect(rows({ ...view, isCaughtUp: true })).toBe(before);
  });

  test("stops waiting for a question that was withdrawn elsewhere", () => {
    const log = new ChatLog()
      .startThread("Pay")
      .addEvent("plan_require_user_input", { content: "How much?", request_id: "req" });
    const { rows, view, before } = buildInitialRows(log);
    expect(before.at(-1)).toMatchObject({ activity: { kind: "waiting" } });
    expect(rows({ ...view, pending: [] }).at(-1)).toMatchObject({ activity: { kind: "thinking" } });
  });

  test("builds the same rows incrementally as from the complete view, for random events", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(12), fc.nat(2), fc.nat(2)), { maxLength: 60 }),
        fc.boolean(),
        (steps, hidesSteps) => {
          const log = new ChatLog();
          for (const [eventIndex, thread, item] of steps)
            addRandomEvent(log, eventIndex, `th-${thread}`, `item-${thread}-${eventIndex}-${item}`);
          const rows = createRowBuilder();
          let view: ConversationView = EMPTY_VIEW;
          let shownRows: readonly TranscriptRow[] = [];
          for (const frame of log.frames) {
            view = foldFrames(view, [frame]);
            shownRows = rows(view, { outgoing: [], hidesSteps });
          }
          expect(shownRows).toEqual(buildRows(view, { outgoing: [], hidesSteps }));
          expect(new Set(shownRows.map(({ key }) => key)).size).toBe(shownRows.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function buildInitialRows(log: ChatLog) {
  const updateRows = createRowBuilder();
  const rows = (view: ConversationView) => updateRows(view, PLAIN);
  const view = log.view();
  return { rows, view, before: rows(view) };
}

const EVENT_NAMES: readonly EventName[] = [
  "message_chunk",
  "message_chunk",
  "message_chunk",
  "reasoning",
  "reasoning_completed",
  "task_started",
  "task_failed",
  "task_retrying",
  "task_waiting",
  "tool_call_started",
  "done",
];

function addRandomEvent(log: ChatLog, eventIndex: number, thread: string, item: string): void {
  const isStarted = log.frames.some(({ event, data }) => event === "thread_started" && data.thread_id === thread);
  if (!isStarted) return void log.startThread("Go", thread);
  const hasPlan = log.frames.some(({ event, data }) => event === "plan_created" && data.thread_id === thread);
  if (eventIndex >= EVENT_NAMES.length)
    return void (hasPlan ? undefined : log.plan(thread, { task_id: `task-${thread}` }));
  const event = EVENT_NAMES[eventIndex] ?? "done";
  log.addEvent(
    event,
    { content: "x", tool_name: "t", request_id: item, attempt: 1 },
    { thread, task: `task-${thread}`, item },
  );
}
