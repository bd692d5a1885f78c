// The conversation of one task of another: what of it is shown.

import { describe, expect, test } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { createRowBuilder, buildRows } from "../../src/web/chat/build-transcript-rows.ts";
import { ChatLog } from "./chat-log.ts";

const PLAIN = { outgoing: [], hidesSteps: false };

describe("the conversation of one task", () => {
  const conversation: ConversationInfo = {
    conversation_id: "conv",
    parent_id: "whole",
    user_id: "local",
    title: "Count",
    status: "active",
    created_at: 0,
    updated_at: 0,
  };
  const handoff = (phase: string) => ({
    component_type: "subagent_conversation",
    content: JSON.stringify({ conversation_id: "conv", agent_name: "assistant", phase }),
  });
  const said = () => new ChatLog().tell("component_generator", handoff("start"), { item: "handoff" }).say("w1 w2");
  const rowsOfPart = (log: ChatLog) => buildRows({ ...log.view(), conversation }, PLAIN);

  test("has what its agent does, though no message began it", () => {
    expect(rowsOfPart(said())).toMatchObject([
      { kind: "text", isLive: true },
      { kind: "working", activity: { kind: "writing", agent: "assistant" } },
    ]);
  });

  test("ends with its task", () => {
    const over = said().tell("component_generator", handoff("end"), { item: "handoff" });
    expect(rowsOfPart(over)).toMatchObject([
      { kind: "text", isLive: false },
      { kind: "end", answer: "w1 w2", outcome: "answered", again: undefined },
    ]);
    const failed = said().tell("task_failed", { content: "No." }, { task: "task", agent: "assistant" });
    expect(rowsOfPart(failed)).toMatchObject([
      { kind: "text" },
      { kind: "failure", again: undefined },
      { kind: "end", outcome: "failed" },
    ]);
  });

  test("keeps the rows that have not changed", () => {
    const rows = createRowBuilder();
    const before = { ...said().view(), conversation };
    const shown = rows(before, PLAIN);
    expect(rows({ ...before, seq: before.seq + 1 }, PLAIN)).toBe(shown);
  });
});
