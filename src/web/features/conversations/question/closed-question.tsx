import { CircleCheck, CircleSlash, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { assertNever } from "../../../../lib/assert.ts";
import type { Approval } from "../../../../protocol/wire/question.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { parseApprovalNotes } from "./approval-content.ts";
import { ShownArguments } from "./shown-arguments.tsx";
import { parseApprovalAnswer, type AskedQuestion, type QuestionViewState } from "./question-view-state.ts";
import styles from "./question-card.module.css";

type ClosedQuestionState = Exclude<QuestionViewState, { readonly state: "open" }>;

/** Shows a closed question and its outcome. */
export function ClosedQuestion({
  asked,
  questionState,
}: {
  readonly asked: AskedQuestion;
  readonly questionState: ClosedQuestionState;
}) {
  const t = useMessages("question");
  const { approval, content } = asked;
  const words = approval === undefined ? content : parseApprovalNotes(asked, approval).words;
  const edited = approval === undefined ? undefined : getEditedArguments(approval, questionState);
  return (
    <>
      {words === "" ? null : <Markdown text={words} />}
      {approval === undefined ? null : (
        <details className={styles["details"]}>
          <summary>{t(edited === undefined ? "argumentsShown" : "argumentsEdited")}</summary>
          <ShownArguments
            approval={edited === undefined ? approval : { ...approval, arguments: edited, origins: [] }}
          />
        </details>
      )}
      <QuestionOutcome
        questionState={questionState}
        isApproval={approval !== undefined}
        isEdited={edited !== undefined}
      />
    </>
  );
}

/** Returns the approved arguments if they differ from the requested ones, otherwise undefined. */
function getEditedArguments(
  { arguments: before }: Approval,
  questionState: ClosedQuestionState,
): Approval["arguments"] | undefined {
  const edited = questionState.state === "answered" ? questionState.edited : undefined;
  return JSON.stringify(edited) === JSON.stringify(before) ? undefined : edited;
}

function QuestionOutcome({
  questionState,
  isApproval,
  isEdited,
}: {
  readonly questionState: ClosedQuestionState;
  readonly isApproval: boolean;
  readonly isEdited: boolean;
}) {
  const t = useMessages("question");
  switch (questionState.state) {
    case "answered":
      return isApproval ? (
        <ApprovalDecisionLine answer={questionState.answer} isEdited={isEdited} />
      ) : (
        <OutcomeLine icon={CircleCheck} look="good" words={t("youAnswered")}>
          {questionState.answer}
        </OutcomeLine>
      );
    case "expired":
      return <OutcomeLine icon={Hourglass} look="warn" words={t("expired")} />;
    case "cancelled":
      return <OutcomeLine icon={CircleSlash} look="quiet" words={t("cancelled")} />;
    case "superseded":
      return <OutcomeLine icon={CircleSlash} look="quiet" words={t("superseded")} />;
    default:
      return assertNever(questionState);
  }
}

function ApprovalDecisionLine({ answer, isEdited }: { readonly answer: string; readonly isEdited: boolean }) {
  const t = useMessages("question");
  const decision = parseApprovalAnswer(answer);
  switch (decision.kind) {
    case "approved":
      return <OutcomeLine icon={CircleCheck} look="good" words={t(isEdited ? "youApprovedEdited" : "youApproved")} />;
    case "refused":
      return (
        <OutcomeLine icon={CircleX} look="bad" words={t("youRejected")}>
          {decision.reason}
        </OutcomeLine>
      );
    case "words":
      return (
        <OutcomeLine icon={CircleCheck} look="good" words={t("youAnswered")}>
          {decision.words}
        </OutcomeLine>
      );
  }
}

function OutcomeLine({
  icon: Icon,
  look,
  words,
  children = "",
}: {
  readonly icon: LucideIcon;
  readonly look: "good" | "warn" | "bad" | "quiet";
  readonly words: string;
  readonly children?: ReactNode;
}) {
  return (
    <p className={styles["end"]}>
      <Icon className={styles[look]} size={18} aria-hidden />
      <span>
        <strong className={styles[look]}>{words}</strong>
        {children === "" ? null : <span className={styles["answer"]}>{children}</span>}
      </span>
    </p>
  );
}
