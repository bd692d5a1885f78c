// Renders an item of a conversation by its event.

import { memo } from "react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { VerificationCard, type VerificationPayload } from "./verification-card.tsx";
import { QuestionCard } from "../question/question-card.tsx";
import { ComponentView } from "./component-view.tsx";
import { ReasoningStep } from "./reasoning-step.tsx";
import { ToolCallStep } from "./tool-call-step.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import styles from "./item-view.module.css";

/** Renders an item; nothing for events without content of their own, such as the start of a task. Memoized. */
export const ItemView = memo(function ItemView({ item, isLive }: { readonly item: Item; readonly isLive: boolean }) {
  switch (item.event) {
    case "message_chunk":
    case "message":
      return item.role === "user" ? (
        <p className={styles["said"]}>{getItemText(item)}</p>
      ) : (
        <Markdown text={getItemText(item)} isStreaming={isLive} />
      );
    case "reasoning":
    case "reasoning_started":
    case "reasoning_completed":
      return <ReasoningStep item={item} isRunning={isLive} />;
    case "tool_call_started":
    case "tool_call_completed":
      return <ToolCallStep item={item} isRunning={isLive} />;
    case "component_generator":
      return <ComponentView item={item} />;
    case "task_waiting":
    case "plan_require_user_input":
      return <QuestionCard item={item} />;
    case "task_failed":
    case "task_cancelled":
    case "plan_failed":
    case "system_failed":
      return <FailureNotice item={item} />;
    case "verification_completed":
      // Items keep the payload of the event unchanged.
      return <VerificationCard payload={item.payload as VerificationPayload} />;
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
