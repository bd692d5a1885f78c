// The form of an approval: shows exactly what would run, and lets the person approve, refuse or edit the arguments.

import { Check, Pencil, ShieldCheck, X } from "lucide-react";
import { useState } from "react";
import { assertNever } from "../../../../lib/assert.ts";
import type { Approval } from "../../../../protocol/wire/question.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { parseApprovalNotes } from "./approval-content.ts";
import { EditArgumentsForm } from "./edit-arguments-form.tsx";
import { AnswerStatus } from "./answer-status.tsx";
import styles from "./question-card.module.css";
import { focusQuestion } from "./pending-bar.tsx";
import { ShownArguments } from "./shown-arguments.tsx";
import { formatRefusal, type AskedQuestion } from "./question-view-state.ts";
import { isAnswerPending, type AnswerHandle, type AnswerProgress } from "./use-answer.ts";

type ApprovalStage = "deciding" | "refusing" | "editing";

/**
 * Calls `onAnswer` with the decision and, for edited arguments, with all arguments. Disabled while an answer is sent.
 */
export function ApprovalForm({
  asked,
  approval,
  progress,
  onAnswer,
}: {
  readonly asked: AskedQuestion;
  readonly approval: Approval;
  readonly progress: AnswerProgress;
  readonly onAnswer: AnswerHandle["answer"];
}) {
  const t = useMessages("question");
  const [stage, setStage] = useState<ApprovalStage>("deciding");
  const changeStage = (next: ApprovalStage) => {
    focusQuestion(asked.request_id);
    setStage(next);
  };
  const { remark, isChecked, words } = parseApprovalNotes(asked, approval);
  return (
    <>
      {remark === undefined ? null : <p className={styles["remark"]}>{remark}</p>}
      {words === "" ? null : <Markdown text={words} />}
      {stage === "editing" ? null : (
        <>
          <p className={styles["lead"]}>{t("exactArguments")}</p>
          <ShownArguments approval={approval} />
        </>
      )}
      {isChecked ? (
        <p className={styles["checked"]}>
          <ShieldCheck size={18} aria-hidden />
          {t("checked")}
        </p>
      ) : null}
      <ApprovalStageView
        stage={stage}
        approval={approval}
        progress={progress}
        onAnswer={onAnswer}
        onStage={changeStage}
      />
    </>
  );
}

function ApprovalStageView({
  stage,
  approval,
  progress,
  onAnswer,
  onStage,
}: {
  readonly stage: ApprovalStage;
  readonly approval: Approval;
  readonly progress: AnswerProgress;
  readonly onAnswer: AnswerHandle["answer"];
  readonly onStage: (stage: ApprovalStage) => void;
}) {
  const t = useMessages("question");
  const busy = isAnswerPending(progress);
  switch (stage) {
    case "deciding":
      return (
        <>
          <div className={styles["actions"]}>
            <Button look="primary" disabled={busy} onClick={() => onAnswer("approve")}>
              <Check size={16} aria-hidden />
              {t("approve")}
            </Button>
            <Button disabled={busy} onClick={() => onStage("editing")}>
              <Pencil size={16} aria-hidden />
              {t("edit")}
            </Button>
            <Button look="danger" disabled={busy} onClick={() => onStage("refusing")}>
              <X size={16} aria-hidden />
              {t("reject")}
            </Button>
          </div>
          <AnswerStatus progress={progress} />
        </>
      );
    case "refusing":
      return <RefusalForm progress={progress} onAnswer={onAnswer} onBack={() => onStage("deciding")} />;
    case "editing":
      return (
        <EditArgumentsForm
          approval={approval}
          progress={progress}
          onApprove={(edited) => onAnswer("approve", edited)}
          onBack={() => onStage("deciding")}
        />
      );
    default:
      return assertNever(stage);
  }
}

function RefusalForm({
  progress,
  onAnswer,
  onBack,
}: {
  readonly progress: AnswerProgress;
  readonly onAnswer: AnswerHandle["answer"];
  readonly onBack: () => void;
}) {
  const t = useMessages("question");
  const [reason, setReason] = useState("");
  const busy = isAnswerPending(progress);
  return (
    <>
      <TextArea
        label={t("reason")}
        rows={2}
        value={reason}
        readOnly={busy}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className={styles["actions"]}>
        <Button look="danger" disabled={busy} onClick={() => onAnswer(formatRefusal(reason))}>
          <X size={16} aria-hidden />
          {t("confirmReject")}
        </Button>
        <Button look="quiet" disabled={busy} onClick={onBack}>
          {t("back")}
        </Button>
      </div>
      <AnswerStatus progress={progress} />
    </>
  );
}
