// Renders an item of a conversation by its event.

import { memo } from "react";
import { textOf, type Item } from "../../protocol/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Verification, type VerificationPayload } from "../plan/verification.tsx";
import { Question } from "../question/question.tsx";
import { Component } from "../steps/component.tsx";
import { Reasoning } from "../steps/reasoning.tsx";
import { ToolCall } from "../steps/tool-call.tsx";
import { FailureNote } from "./failure.tsx";
import { isLiveIn } from "./live.ts";
import styles from "./step.module.css";
import { useTalk } from "./talk.ts";

/** Renders an item; reads from the conversation context whether it can still grow. */
export function Step({ item }: { readonly item: Item }) {
  const { view } = useTalk();
  return <StepOf item={item} isLive={isLiveIn(view, item)} />;
}

/** Renders an item, and again only if the item has changed. */
export const StepOf = memo(function StepOf({ item, isLive }: { readonly item: Item; readonly isLive: boolean }) {
  switch (item.event) {
    case "message_chunk":
    case "message":
      return item.role === "user" ? (
        <p className={styles["said"]}>{textOf(item)}</p>
      ) : (
        <Markdown text={textOf(item)} isStreaming={isLive} />
      );
    case "reasoning":
    case "reasoning_started":
    case "reasoning_completed":
      return <Reasoning item={item} isRunning={isLive} />;
    case "tool_call_started":
    case "tool_call_completed":
      return <ToolCall item={item} isRunning={isLive} />;
    case "component_generator":
      return <Component item={item} />;
    case "task_waiting":
    case "plan_require_user_input":
      return <Question item={item} />;
    case "task_failed":
    case "task_cancelled":
    case "plan_failed":
    case "system_failed":
      return <FailureNote item={item} />;
    case "verification_completed":
      // Items keep the payload of the event unchanged.
      return <Verification payload={item.payload as VerificationPayload} />;
    case "conversation_started":
    case "thread_started":
    case "triage_completed":
    case "plan_created":
    case "task_started":
    case "task_completed":
    case "task_retrying":
    case "done":
      return null;
  }
});
