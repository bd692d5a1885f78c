// The form of an approval: shows exactly what would run, and lets the person approve, refuse or edit the arguments.

import { Check, Pencil, ShieldCheck, X } from "lucide-react";
import { useState } from "react";
import { unreachable } from "../../protocol/assert.ts";
import type { Approval } from "../../protocol/question.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { notesOf } from "./approval.ts";
import { EditArguments } from "./edit-arguments.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./question.module.css";
import { standOn } from "./seek.ts";
import { ShownArguments } from "./shown-arguments.tsx";
import { refusalWith, type Asked } from "./standing.ts";
import { isBusy, type Answering, type Progress } from "./use-answer.ts";
import { WORDS } from "./words.ts";

type Stage = "deciding" | "refusing" | "editing";

export function Approve({
  asked,
  approval,
  progress,
  onAnswer,
}: {
  readonly asked: Asked;
  readonly approval: Approval;
  readonly progress: Progress;
  readonly onAnswer: Answering["answer"];
}) {
  const say = useWords(WORDS);
  const [stage, setStage] = useState<Stage>("deciding");
  const turn = (next: Stage) => {
    standOn(asked.request_id);
    setStage(next);
  };
  const { remark, isChecked, words } = notesOf(asked, approval);
  return (
    <>
      {remark === undefined ? null : <p className={styles["remark"]}>{remark}</p>}
      {words === "" ? null : <Markdown text={words} />}
      {stage === "editing" ? null : (
        <>
          <p className={styles["lead"]}>{say("exactArguments")}</p>
          <ShownArguments approval={approval} />
        </>
      )}
      {isChecked ? (
        <p className={styles["checked"]}>
          <ShieldCheck size={18} aria-hidden />
          {say("checked")}
        </p>
      ) : null}
      <Stages stage={stage} approval={approval} progress={progress} onAnswer={onAnswer} onStage={turn} />
    </>
  );
}

function Stages({
  stage,
  approval,
  progress,
  onAnswer,
  onStage,
}: {
  readonly stage: Stage;
  readonly approval: Approval;
  readonly progress: Progress;
  readonly onAnswer: Answering["answer"];
  readonly onStage: (stage: Stage) => void;
}) {
  const say = useWords(WORDS);
  const busy = isBusy(progress);
  switch (stage) {
    case "deciding":
      return (
        <>
          <div className={styles["actions"]}>
            <Button look="primary" disabled={busy} onClick={() => onAnswer("approve")}>
              <Check size={16} aria-hidden />
              {say("approve")}
            </Button>
            <Button disabled={busy} onClick={() => onStage("editing")}>
              <Pencil size={16} aria-hidden />
              {say("edit")}
            </Button>
            <Button look="danger" disabled={busy} onClick={() => onStage("refusing")}>
              <X size={16} aria-hidden />
              {say("refuse")}
            </Button>
          </div>
          <Outcome progress={progress} />
        </>
      );
    case "refusing":
      return <Refuse progress={progress} onAnswer={onAnswer} onBack={() => onStage("deciding")} />;
    case "editing":
      return (
        <EditArguments
          approval={approval}
          progress={progress}
          onApprove={(edited) => onAnswer("approve", edited)}
          onBack={() => onStage("deciding")}
        />
      );
    default:
      return unreachable(stage);
  }
}

function Refuse({
  progress,
  onAnswer,
  onBack,
}: {
  readonly progress: Progress;
  readonly onAnswer: Answering["answer"];
  readonly onBack: () => void;
}) {
  const say = useWords(WORDS);
  const [reason, setReason] = useState("");
  const busy = isBusy(progress);
  return (
    <>
      <TextArea
        label={say("reason")}
        rows={2}
        value={reason}
        readOnly={busy}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className={styles["actions"]}>
        <Button look="danger" disabled={busy} onClick={() => onAnswer(refusalWith(reason))}>
          <X size={16} aria-hidden />
          {say("refuseNow")}
        </Button>
        <Button look="quiet" disabled={busy} onClick={onBack}>
          {say("back")}
        </Button>
      </div>
      <Outcome progress={progress} />
    </>
  );
}
