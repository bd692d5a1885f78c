// Renders an item of a conversation by its event.

import { memo, type ReactNode } from "react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { VerificationCard, type VerificationPayload } from "./verification-card.tsx";
import { QuestionCard } from "../question/question-card.tsx";
import { ComponentView } from "./component-view.tsx";
import { ToolCallStep } from "./tool-call-step.tsx";
import styles from "./item-view.module.css";
import { CircleSlash, TriangleAlert, Brain } from "lucide-react";
import { useMessages } from "../../../session/language.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { FoldableStep } from "./foldable-step.tsx";

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

// The notice that shows a failed or cancelled task, plan or thread.

/** `children`: the actions that are offered. */
export function FailureNotice({ item, children }: { readonly item: Item; readonly children?: ReactNode }) {
  const t = useMessages("chat");
  const isCancelled = item.event === "task_cancelled";
  const Icon = isCancelled ? CircleSlash : TriangleAlert;
  return (
    <div className={`${styles["failure"]} ${isCancelled ? styles["cancelled"] : ""}`}>
      <Icon size={18} aria-hidden className={styles["icon"]} />
      <div className={styles["words"]}>
        <strong>{t(getFailureTitleKey(item))}</strong>
        <p>{getItemText(item)}</p>
      </div>
      {children}
    </div>
  );
}

function getFailureTitleKey(item: Item): "planFailed" | "taskFailed" | "taskCancelled" | "systemFailed" {
  if (item.event === "plan_failed") return "planFailed";
  if (item.event === "task_failed") return "taskFailed";
  return item.event === "task_cancelled" ? "taskCancelled" : "systemFailed";
}

const MAX_CHARS = 200;

/** Shows the reasoning of an agent, folded to its last line while it runs and to its first line afterwards. */
function ReasoningStep({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const t = useMessages("steps");
  const text = getItemText(item);
  return (
    <FoldableStep
      itemId={item.item_id}
      icon={<Brain size={16} aria-hidden />}
      title={t(isRunning ? "thinking" : "thought")}
      hint={escapeInvisible(stripMarkdownMarks(isRunning ? getLastLine(text) : getFirstLine(text)))}
      status={isRunning ? "running" : "none"}
    >
      {() => <Markdown text={text} isStreaming={isRunning} />}
    </FoldableStep>
  );
}

/** Returns the last line, or the end of a long one, because the newest text is at the end. */
function getLastLine(text: string): string {
  const line = text.slice(-2_000).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length > MAX_CHARS ? `…${line.slice(-MAX_CHARS).toWellFormed()}` : line;
}

function getFirstLine(text: string): string {
  return (text.slice(0, 2_000).trimStart().split("\n")[0] ?? "").slice(0, MAX_CHARS).toWellFormed();
}

/** Removes Markdown marks from a line. */
function stripMarkdownMarks(line: string): string {
  return line.replace(/^[\s#>*+-]+/, "").replaceAll(/\*{1,3}|`+|~~/g, "");
}
