// The rows of a task conversation (the part of another conversation in which one task runs).

import { describe, expect, test } from "vitest";
import type { ConversationInfo } from "../../../src/protocol/wire/conversation-info.ts";
import {
  createRowBuilder,
  buildRows,
} from "../../../src/web/features/conversations/transcript/build-transcript-rows.ts";
import { ChatLog } from "./chat-log.ts";

const PLAIN = { outgoing: [], hidesSteps: false };

describe("task conversation", () => {
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
  const createTaskLog = () =>
    new ChatLog().addEvent("component_generator", handoff("start"), { item: "handoff" }).addText("w1 w2");
  const buildTaskRows = (log: ChatLog) => buildRows({ ...log.view(), conversation }, PLAIN);

  test("shows the work of its agent without a user message", () => {
    expect(buildTaskRows(createTaskLog())).toMatchObject([
      { kind: "text", isLive: true },
      { kind: "working", activity: { kind: "writing", agent: "assistant" } },
    ]);
  });

  test("ends when its task ends", () => {
    const ended = createTaskLog().addEvent("component_generator", handoff("end"), { item: "handoff" });
    expect(buildTaskRows(ended)).toMatchObject([
      { kind: "text", isLive: false },
      { kind: "end", answer: "w1 w2", outcome: "answered", resend: undefined },
    ]);
    const failed = createTaskLog().addEvent("task_failed", { content: "No." }, { task: "task", agent: "assistant" });
    expect(buildTaskRows(failed)).toMatchObject([
      { kind: "text" },
      { kind: "failure", resend: undefined },
      { kind: "end", outcome: "failed" },
    ]);
  });

  test("keeps the identity of unchanged rows", () => {
    const updateRows = createRowBuilder();
    const before = { ...createTaskLog().view(), conversation };
    const firstRows = updateRows(before, PLAIN);
    expect(updateRows({ ...before, seq: before.seq + 1 }, PLAIN)).toBe(firstRows);
  });
});
