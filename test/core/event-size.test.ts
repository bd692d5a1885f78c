import { describe, expect, test } from "vitest";
import { limitText, MAX_EVENT_TEXT_BYTES } from "../../src/core/log/event-size.ts";
import { toEventDraft } from "../../src/core/turn/agent-event-draft.ts";
import { limitAgentEvent } from "../../src/core/turn/limit-agent-event.ts";
import { formatMessage } from "../../src/language/messages.ts";
import { MAX_ROW_BYTES } from "../../src/lib/row-size.ts";
import { countBytes } from "../../src/lib/text-size.ts";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { getEvents, runPlan, scriptAgents, task } from "../support/scripted-ports.ts";

const ports = { formatMessage: (message: Parameters<typeof formatMessage>[1]) => formatMessage("en", message) };
const scope = { thread_id: "th-1", task_id: "task-1", agent_name: "a" };
const NOTICE = "[The rest is left out because it is too long.]";

/** Characters with few and many bytes in UTF-8 and in JSON. */
const UNITS = ["a", "字", "😀", '"', "\u0001", "\ud800"];
/** Returns a text that is as large as a row in JSON. */
const createRowText = (unit: string) => unit.repeat(MAX_ROW_BYTES / (countBytes(JSON.stringify(unit)) - 2));

describe.each(UNITS)("a text of %j", (unit) => {
  test("[I43] is cut in an event so that it fits a row, with a notice, and not cut below the limit", () => {
    const small = unit.repeat(1_000);
    const large = createRowText(unit);
    const createEvents = (text: string): AgentEvent[] => [
      { type: "notification", text },
      { type: "tool_started", call_id: text, tool: text, arguments: text },
      { type: "tool_completed", call_id: "c", tool: "t", arguments: text, result: text },
      { type: "component", component_type: text, content: text, component_id: text },
    ];
    for (const event of createEvents(small).filter(({ type }) => type !== "tool_started" && type !== "component"))
      expect(limitAgentEvent(event, ports)).toEqual(event);
    for (const event of createEvents(large)) {
      const limited = limitAgentEvent(event, ports);
      const draft = toEventDraft(scope, limited as Parameters<typeof toEventDraft>[1]);
      const json = JSON.stringify(draft);
      expect(countBytes(json)).toBeLessThan(0.9 * MAX_ROW_BYTES);
      expect(json).toContain(event.type === "component" ? "can’t be shown because it is larger than 1.5 MB" : NOTICE);
    }
  });

  test("[I43] is kept as far as possible", () => {
    const text = createRowText(unit);
    const kept = limitText(text, NOTICE);
    const bytes = countBytes(JSON.stringify(kept));
    expect(bytes).toBeLessThanOrEqual(MAX_EVENT_TEXT_BYTES);
    expect(bytes).toBeGreaterThan(0.99 * MAX_EVENT_TEXT_BYTES);
    expect(kept.endsWith(`\n${NOTICE}`)).toBe(true);
    expect(text.startsWith(kept.slice(0, -NOTICE.length - 1))).toBe(true);
  });

  test("[I43] that is too long for a question fails the task and names the limit", () => {
    const prompt = createRowText(unit);
    const question: AgentEvent = { type: "input_required", prompt };
    expect(limitAgentEvent(question, ports)).toEqual({
      type: "failed",
      reason: "The agent’s question is too large: at most 786,432 bytes are possible.",
      code: "agent_too_large",
    });
    expect(limitAgentEvent({ ...question, prompt: "Which one?" }, ports)).toEqual({
      ...question,
      prompt: "Which one?",
    });
  });
});

test("[I43] other work runs between the pieces of a long text of an agent", async () => {
  const text = "字".repeat(2 ** 20);
  let runs = 0;
  const timer = setInterval(() => (runs += 1), 0);
  const agents = scriptAgents({
    async *w() {
      yield { type: "text", text };
    },
  });
  const result = await runPlan([task("1", "w")], agents);
  clearInterval(timer);
  const pieces = getEvents(result, "message_chunk").map(({ payload }) => payload.content);
  expect(pieces.join("") === text).toBe(true);
  expect(pieces.length).toBeGreaterThan(60);
  expect(runs).toBeGreaterThan(20);
});
