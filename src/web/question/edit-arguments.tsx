import { Check } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Approval } from "../../protocol/question.ts";
import { visibleJson } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { readingOrder } from "./approval.ts";
import { ArgumentField } from "./argument-field.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./question.module.css";
import { draftOf, fieldMeant, fieldsOf, readDraft, readRaw, type Problem, type ReadDraft } from "./schema-form.ts";
import { isBusy, type Progress } from "./use-answer.ts";
import { WORDS } from "./words.ts";

/** Removes the path before and the location after a message of the server, because the form shows both. */
const fieldWords = (message: string) =>
  message.replace(/^arguments\.\S+: /, "").replace(/ \(arguments of [^()]*\)$/, "");

const NO_PROBLEMS: ReadonlyMap<string, Problem> = new Map();

/** Edits the arguments of a call, in fields generated from the schema or as JSON. Errors are shown at their field. */
export function EditArguments({
  approval,
  progress,
  onApprove,
  onBack,
}: {
  readonly approval: Approval;
  readonly progress: Progress;
  readonly onApprove: (edited: Record<string, unknown>) => void;
  readonly onBack: () => void;
}) {
  const say = useWords(WORDS);
  const [before, setBefore] = useState(approval.arguments);
  const fields = useMemo(() => {
    const inOrder = readingOrder(approval.tool);
    return fieldsOf(approval.parameters, before).toSorted((a, b) => inOrder(a.name, b.name));
  }, [approval, before]);
  const [draft, setDraft] = useState(() => draftOf(fields, before));
  const [raw, setRaw] = useState<string | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const busy = isBusy(progress);

  const read = (): ReadDraft => (raw === null ? readDraft(fields, draft, before) : readRaw(raw));
  /** Calls `use` with the parsed arguments, or shows the problems if they cannot be parsed. */
  const withRead = (use: (args: Record<string, unknown>) => void) => {
    const now = read();
    setProblems(now.ok ? NO_PROBLEMS : now.problems);
    if (now.ok) use(now.arguments);
  };
  const turn = () =>
    withRead((args) => {
      setBefore(args);
      setDraft(draftOf(fieldsOf(approval.parameters, args), args));
      setRaw(raw === null ? visibleJson(args) : null);
    });

  const refusal = progress.status === "failed" ? progress.refusal : null;
  const form = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, refusal]);
  const meant = refusal === null || raw !== null ? null : fieldMeant(refusal.field, fields);
  const problemOf = (name: string) => {
    const problem = problems.get(name);
    if (problem !== undefined) return say(problem);
    return refusal !== null && meant === name ? fieldWords(refusal.message) : undefined;
  };

  return (
    <fieldset ref={form} className={styles["edit"]} disabled={busy}>
      <legend>{say("editArguments")}</legend>
      <div className={styles["modes"]} role="group" aria-label={say("editArguments")}>
        <Button
          look={raw === null ? "plain" : "quiet"}
          aria-pressed={raw === null}
          onClick={raw === null ? undefined : turn}
        >
          {say("asFields")}
        </Button>
        <Button
          look={raw === null ? "quiet" : "plain"}
          aria-pressed={raw !== null}
          onClick={raw === null ? turn : undefined}
        >
          {say("asJson")}
        </Button>
      </div>
      {raw === null ? (
        fields.map((field) => (
          <ArgumentField
            key={field.name}
            field={field}
            value={draft.get(field.name) ?? ""}
            error={problemOf(field.name)}
            onChange={(value) => setDraft((now) => new Map(now).set(field.name, value))}
          />
        ))
      ) : (
        <TextArea
          label={say("allArguments")}
          rows={Math.min(24, raw.split("\n").length + 1)}
          className={styles["mono"] ?? ""}
          spellCheck={false}
          value={raw}
          error={problemOf("")}
          onChange={(event) => setRaw(event.target.value)}
        />
      )}
      <div className={styles["actions"]}>
        <Button look="primary" onClick={() => withRead(onApprove)}>
          <Check size={16} aria-hidden />
          {say("approveEdited")}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {say("back")}
        </Button>
      </div>
      <Outcome progress={progress} isAtField={meant !== null} />
    </fieldset>
  );
}
