// What of a conversation is shown, and that what has not changed is not drawn again.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventName } from "../../src/protocol/wire/events.ts";
import { foldFrame, foldFrames, EMPTY_VIEW, type ConversationView } from "../../src/protocol/wire/view.ts";
import type { TranscriptRow } from "../../src/web/chat/transcript-row.ts";
import { createRowBuilder, buildRows } from "../../src/web/chat/build-transcript-rows.ts";
import { ChatLog } from "./chat-log.ts";

const PLAIN = { outgoing: [], hidesSteps: false };
const kinds = (view: ConversationView, wanted = PLAIN) => buildRows(view, wanted).map(({ kind }) => kind);

const oneTask = () =>
  new ChatLog()
    .ask("What is 12 * 34?")
    .tell("triage_completed", {
      decision: "handoff_to_planner",
      strategy: "single_agent",
      selected_agents: ["assistant"],
    })
    .tell("tool_call_started", { tool_call_id: "c", tool_name: "generate_execution_plan" }, { item: "c" })
    .plan("th", { task_id: "task", agent_name: "assistant" })
    .tell("task_started", {}, { task: "task", agent: "assistant" })
    .tell("tool_call_started", { tool_call_id: "d", tool_name: "connect_agent" }, { task: "task", item: "d" })
    .tell("reasoning", { content: "Hm." }, { task: "task", agent: "assistant", item: "why" })
    .tell("reasoning_completed", {}, { task: "task", agent: "assistant", item: "why" })
    .tell(
      "tool_call_started",
      { tool_call_id: "e", tool_name: "calculate" },
      { task: "task", agent: "assistant", item: "e" },
    )
    .tell(
      "tool_call_completed",
      { tool_name: "calculate", tool_result: "[]" },
      { task: "task", agent: "assistant", item: "e" },
    )
    .say("408");

describe("the rows of a thread", () => {
  test("follow the work of one agent, and end with what it took", () => {
    const log = oneTask();
    expect(kinds(log.view())).toEqual(["message", "plan", "reasoning", "tool", "text", "working"]);
    log.tell("task_completed", {}, { task: "task", agent: "assistant" }).done();
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "reasoning", "tool", "text", "end"]);
    expect(rows.at(-1)).toMatchObject({ answer: "408", outcome: "answered" });
  });

  test("name an agent where it begins to speak, and only there", () => {
    const speakers = buildRows(oneTask().view(), PLAIN).flatMap((row) => ("speaker" in row ? [row.speaker] : []));
    expect(speakers).toEqual([undefined, undefined, undefined]);
    const direct = new ChatLog()
      .ask("Hi")
      .say("One", { item: "a" })
      .say("Two", { item: "b" })
      .say("Three", { item: "c", agent: "other" });
    const changes = buildRows(direct.view(), PLAIN).flatMap((row) => ("speaker" in row ? [row.speaker] : []));
    expect(changes).toEqual(["assistant", undefined, "other"]);
    const asked = oneTask().tell(
      "task_waiting",
      { content: "Sure?", request_id: "r" },
      { task: "task", agent: "assistant" },
    );
    asked.say("Yes.", { item: "after" });
    expect(buildRows(asked.view(), PLAIN).at(-2)).toMatchObject({ kind: "text", speaker: undefined });
  });

  test("without steps keep what was said, under its speaker", () => {
    const rows = buildRows(oneTask().view(), { ...PLAIN, hidesSteps: true });
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "text", "working"]);
    expect(rows[2]).toMatchObject({ speaker: undefined });
  });

  test("leave the items of several tasks to the card of their plan, and show the summary", () => {
    const log = new ChatLog()
      .ask("Both")
      .plan("th", { task_id: "a" }, { task_id: "b" })
      .say("one", { task: "a", item: "ia" })
      .say("two", { task: "b", item: "ib" })
      .say("Both are done.", { task: "synthesis", agent: "SuperAgent", item: "sum" })
      .done();
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "plan", "text", "end"]);
    expect(rows.at(-1)).toMatchObject({ answer: "Both are done." });
  });

  test("show questions, components, verification and failures where they happened", () => {
    const log = new ChatLog()
      .ask("Pay")
      .tell("plan_require_user_input", { content: "How much?", request_id: "req" }, { agent: "Planner" })
      .tell("message", { content: "20" }, { role: "user", metadata: { request_id: "req" } })
      .plan("th", { task_id: "task" })
      .tell("component_generator", { component_type: "page", content: "{}" }, { task: "task", agent: "assistant" })
      .tell("task_failed", { content: "It broke." }, { task: "task", agent: "assistant" })
      .tell("verification_completed", { summary: "", results: [] })
      .tell("system_failed", { content: "Not verified.", code: "verification_failed" })
      .done();
    const rows = buildRows(log.view(), PLAIN);
    const expected = ["message", "question", "plan", "component", "failure", "verification", "failure", "end"];
    expect(rows.map(({ kind }) => kind)).toEqual(expected);
    expect(rows.filter(({ kind }) => kind === "failure")).toMatchObject([
      { again: { message: "Pay" } },
      { again: { message: "Pay" } },
    ]);
    expect(rows.at(-1)).toMatchObject({ outcome: "failed" });
  });

  test("offer no other try while the thread goes on, and none of what a schedule did", () => {
    const failing = (log: ChatLog) =>
      log.plan("th", { task_id: "task" }).tell("task_failed", { content: "No." }, { task: "task" });
    const open = failing(new ChatLog().ask("Pay"));
    expect(buildRows(open.view(), PLAIN).find(({ kind }) => kind === "failure")).toMatchObject({ again: undefined });
    const run = failing(new ChatLog().tell("thread_started", { content: "Every day" }, { role: "system" })).done();
    const rows = buildRows(run.view(), PLAIN);
    expect(rows[0]).toMatchObject({ kind: "run" });
    expect(rows.find(({ kind }) => kind === "failure")).toMatchObject({ again: undefined });
  });

  test("offer to repeat, with the agent that was asked, what came to nothing", () => {
    const asked = { task: "ask", role: "user", metadata: { agent: "toolsmith" } };
    const log = new ChatLog().tell("thread_started", { content: "Count" }, asked).done();
    expect(buildRows(log.view(), PLAIN).at(-1)).toMatchObject({ again: { message: "Count", agent: "toolsmith" } });
    const parts = new ChatLog().ask("Both").plan("th", { task_id: "a" }, { task_id: "b", status: "failed" });
    const end = buildRows(parts.say("Half.", { task: "sum", item: "sum" }).done().view(), PLAIN).at(-1);
    expect(end).toMatchObject({ outcome: "answered", again: { message: "Both" } });
    const { plans, ...rest } = parts.view();
    const verified = { ...rest, plans: plans.map((plan) => ({ ...plan, verify: true })) };
    expect(buildRows(verified, PLAIN).at(-1)).toMatchObject({ again: { message: "Both", verify: true } });
    expect(buildRows(oneTask().done().view(), PLAIN).at(-1)).toMatchObject({ again: undefined });
  });

  test("say of a cancelled thread how far it came", () => {
    const early = new ChatLog().ask("First").ask("Second", "th-2").done("th-2", true);
    expect(buildRows(early.view(), PLAIN).at(-1)).toMatchObject({ kind: "end", outcome: "never begun" });
    expect(buildRows(new ChatLog().ask("First").done().view(), PLAIN).at(-1)).toMatchObject({ outcome: "stopped" });
  });
});

describe("what is still to come", () => {
  test("a message behind an open one is queued, and what comes of the first stays above it", () => {
    const log = new ChatLog().ask("First").ask("Second", "th-2").say("So");
    const rows = buildRows(log.view(), PLAIN);
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "text", "working", "message"]);
    expect(rows.flatMap((row) => (row.kind === "message" ? [row.isQueued] : []))).toEqual([false, true]);
    const next = buildRows(log.done().view(), PLAIN);
    expect(next.flatMap((row) => (row.kind === "message" ? [row.isQueued] : []))).toEqual([false, false]);
    expect(next.at(-1)).toMatchObject({ kind: "working", activity: { kind: "thinking" } });
  });

  test("a run of a schedule keeps nobody waiting", () => {
    const log = new ChatLog().tell("thread_started", { content: "Daily" }, { role: "system" }).ask("Hello", "th-2");
    expect(buildRows(log.view(), PLAIN).find(({ kind }) => kind === "message")).toMatchObject({ isQueued: false });
  });

  test("say of an answer that was stopped in mid-sentence that it is not whole, and offer another try", () => {
    const usage = { model_calls: 1, input_tokens: 1, output_tokens: 1, tasks: 0, duration_ms: 5 };
    const stopped = new ChatLog().ask("First").say("Half a");
    stopped.tell("done", {}, { role: "system", metadata: { cancelled: true, usage } });
    const end = buildRows(stopped.view(), PLAIN).at(-1);
    expect(end).toMatchObject({ kind: "end", outcome: "stopped", answer: "Half a", again: { message: "First" } });
    const whole = buildRows(new ChatLog().ask("First").say("All").done().view(), PLAIN).at(-1);
    expect(whole).toMatchObject({ outcome: "answered", again: undefined });
  });

  test("leave out that the only agent of a plan works elsewhere, and tell whom it hands on to", () => {
    const told = (agent_name: string) => ({
      component_type: "subagent_conversation",
      content: JSON.stringify({ conversation_id: "sub", agent_name, phase: "start" }),
    });
    const log = new ChatLog().ask("First").plan("th", { task_id: "a", agent_name: "one" });
    log.tell("component_generator", told("one"), { task: "a", agent: "one" });
    expect(kinds(log.view())).not.toContain("component");
    log.tell("component_generator", told("two"), { task: "a", agent: "one" });
    expect(kinds(log.view())).toContain("component");
  });

  test("messages on their way stand at the end", () => {
    const outgoing = [{ key: "cmd-1", text: "Hello", status: "sending" as const }];
    expect(kinds(new ChatLog().ask("First").view(), { outgoing, hidesSteps: false } as never)).toEqual([
      "message",
      "working",
      "outgoing",
    ]);
  });
});

describe("a token", () => {
  test("changes the row that it belongs to, and leaves every other the very same", () => {
    const log = new ChatLog();
    for (let i = 0; i < 200; i++)
      log
        .ask(`Question ${i}`, `th-${i}`)
        .say("Answer", { item: `t-${i}`, thread: `th-${i}` })
        .done(`th-${i}`);
    log.ask("Last", "last").say("A", { thread: "last", item: "tl" });
    const view = rowsBefore(log);
    log.say(" token", { thread: "last", item: "tl" });
    const after = view.rows(foldFrame(view.view, log.frames.at(-1) ?? expect.fail()));
    const changed = after.filter((row, i) => row !== view.before[i]);
    expect(after).toHaveLength(view.before.length);
    expect(changed.map(({ kind }) => kind)).toEqual(["text"]);
  });

  test("and one that changes nothing to be seen leaves the list itself", () => {
    const { rows, view, before } = rowsBefore(oneTask());
    expect(rows({ ...view, isCaughtUp: true })).toBe(before);
  });

  test("and a question that is withdrawn elsewhere is not waited for any more", () => {
    const log = new ChatLog().ask("Pay").tell("plan_require_user_input", { content: "How much?", request_id: "req" });
    const { rows, view, before } = rowsBefore(log);
    expect(before.at(-1)).toMatchObject({ activity: { kind: "waiting" } });
    expect(rows({ ...view, pending: [] }).at(-1)).toMatchObject({ activity: { kind: "thinking" } });
  });

  test("whatever happens, the rows are the same as if they were made at once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(12), fc.nat(2), fc.nat(2)), { maxLength: 60 }),
        fc.boolean(),
        (steps, hidesSteps) => {
          const log = new ChatLog();
          for (const [what, thread, item] of steps) happen(log, what, `th-${thread}`, `item-${thread}-${what}-${item}`);
          const rows = createRowBuilder();
          let view: ConversationView = EMPTY_VIEW;
          let shown: readonly TranscriptRow[] = [];
          for (const frame of log.frames) {
            view = foldFrames(view, [frame]);
            shown = rows(view, { outgoing: [], hidesSteps });
          }
          expect(shown).toEqual(buildRows(view, { outgoing: [], hidesSteps }));
          expect(new Set(shown.map(({ key }) => key)).size).toBe(shown.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function rowsBefore(log: ChatLog) {
  const of = createRowBuilder();
  const rows = (view: ConversationView) => of(view, PLAIN);
  const view = log.view();
  return { rows, view, before: rows(view) };
}

const ANY: readonly EventName[] = [
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

function happen(log: ChatLog, what: number, thread: string, item: string): void {
  const begun = log.frames.some(({ event, data }) => event === "thread_started" && data.thread_id === thread);
  if (!begun) return void log.ask("Go", thread);
  const planned = log.frames.some(({ event, data }) => event === "plan_created" && data.thread_id === thread);
  if (what >= ANY.length) return void (planned ? undefined : log.plan(thread, { task_id: `task-${thread}` }));
  const event = ANY[what] ?? "done";
  log.tell(
    event,
    { content: "x", tool_name: "t", request_id: item, attempt: 1 },
    { thread, task: `task-${thread}`, item },
  );
}
