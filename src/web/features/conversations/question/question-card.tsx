// A question of an agent or the planner: a form while it is open, then its outcome.

import { memo, useCallback, useMemo } from "react";
import { Link } from "wouter";
import type { ResumeCommand } from "../../../../protocol/wire/commands.ts";
import type { Item } from "../../../../protocol/wire/items.ts";
import type { ConversationView } from "../../../../protocol/wire/view.ts";
import { useConversation } from "../state/conversation-context.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { ApprovalForm } from "./approval-form.tsx";
import { ClosedQuestion } from "./closed-question.tsx";
import { QuestionExpiry } from "./question-expiry.tsx";
import styles from "./question-card.module.css";
import { ReplyForm } from "./reply-form.tsx";
import { getQuestionElementId, focusQuestion } from "./pending-bar.tsx";
import {
  parseAskedQuestion,
  computeQuestionState,
  type AskedQuestion,
  type QuestionViewState,
  findInstanceWithForm,
} from "./question-view-state.ts";
import { useAnswer } from "./use-answer.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { Avatar } from "../../../ui/avatar.tsx";

/** Shows nothing if the item is not a valid question. In the conversation of a task, an open question has no form. */
export function QuestionCard({ item }: { readonly item: Item }) {
  const { view } = useConversation();
  const asked = useMemo(() => parseAskedQuestion(item), [item]);
  if (asked === null) return null;
  const questionState = computeQuestionState(view, item, asked);
  const isOpen = questionState.state === "open";
  const id = getQuestionElementId(asked.request_id);
  return (
    // The card takes the focus, not a button in it, so that a key pressed too early answers nothing.
    <section
      id={id}
      className={isOpen ? styles["card"] : `${styles["card"]} ${styles["closed"]}`}
      tabIndex={-1}
      aria-labelledby={`${id}-who`}
    >
      <header className={styles["head"]}>
        <QuestionHeading id={`${id}-who`} agent={item.agent_name} approval={asked.approval?.tool} />
        {isOpen && asked.expires_at !== undefined ? <QuestionExpiry at={asked.expires_at} /> : null}
      </header>
      <QuestionBody asked={asked} questionState={questionState} view={view} />
    </section>
  );
}

function QuestionBody({
  asked,
  questionState,
  view: { conversation, items },
}: {
  readonly asked: AskedQuestion;
  readonly questionState: QuestionViewState;
  readonly view: ConversationView;
}) {
  if (questionState.state !== "open") return <ClosedQuestion asked={asked} questionState={questionState} />;
  // In the conversation of a task, questions can only be answered in the parent conversation.
  if (conversation?.parent_id !== undefined) return <Markdown text={asked.content} />;
  return <QuestionForm asked={asked} instance={findInstanceWithForm(items, asked.request_id)} />;
}

const QuestionForm = memo(function QuestionForm({
  asked,
  instance,
}: {
  readonly asked: AskedQuestion;
  readonly instance: string | null;
}) {
  const t = useMessages("question");
  const { approval, content, options = [], request_id } = asked;
  const { progress, answer, draft } = useAnswer(request_id);
  const onAnswer = useCallback(
    (message: string, edited?: ResumeCommand["arguments"]) => {
      focusQuestion(request_id);
      answer(message, edited);
    },
    [answer, request_id],
  );
  if (approval !== undefined) {
    return <ApprovalForm asked={asked} approval={approval} progress={progress} onAnswer={onAnswer} />;
  }
  return (
    <>
      <Markdown text={content} />
      {instance === null ? null : <Link href={`/instances/${encodeURIComponent(instance)}`}>{t("openRunForm")}</Link>}
      <ReplyForm options={options} draft={draft} progress={progress} onAnswer={onAnswer} />
    </>
  );
});

/** The heading of a question: the agent that asks, if it is known, and for an approval the name of its tool. */
function QuestionHeading({
  id,
  agent,
  approval,
}: {
  readonly id: string;
  readonly agent: string | undefined;
  readonly approval?: string | undefined;
}) {
  const t = useMessages("question");
  const name = useAgentNames()(agent);
  const isApproval = approval !== undefined;
  const words =
    agent === undefined
      ? t(isApproval ? "anonymousApproval" : "anonymousQuestion")
      : t(isApproval ? "wantsApproval" : "asks", { who: name });
  return (
    <h2 id={id} className={styles["who"]}>
      {agent === undefined ? null : <Avatar name={agent} label={name} size="small" />}
      <span>{words}</span>
      {isApproval ? <code className={styles["tool"]}>{escapeInvisible(approval)}</code> : null}
    </h2>
  );
}
