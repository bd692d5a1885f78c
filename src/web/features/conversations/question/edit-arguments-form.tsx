import { Check } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Approval } from "../../../../protocol/wire/question.ts";
import { formatEscapedJson } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { createReadingOrder } from "./approval-content.ts";
import { ArgumentField } from "./argument-field.tsx";
import { AnswerStatus } from "./answer-status.tsx";
import styles from "./question-card.module.css";
import {
  formatFields,
  findProblemField,
  buildFields,
  parseFieldTexts,
  parseRawArguments,
  type FieldProblem,
  type ParsedArguments,
} from "./schema-form.ts";
import { isAnswerPending, type AnswerProgress } from "./use-answer.ts";

/** Removes the path before and the location after a message of the server, because the form shows both. */
const stripFieldPath = (message: string) =>
  message.replace(/^arguments\.\S+: /, "").replace(/ \(arguments of [^()]*\)$/, "");

const NO_PROBLEMS: ReadonlyMap<string, FieldProblem> = new Map();

/**
 * Edits the arguments of a call, in fields generated from the schema or as JSON. Calls `onApprove` with the parsed
 * arguments. Errors, also those of the server, are shown at their field, which takes the focus.
 */
export function EditArgumentsForm({
  approval,
  progress,
  onApprove,
  onBack,
}: {
  readonly approval: Approval;
  readonly progress: AnswerProgress;
  readonly onApprove: (edited: Record<string, unknown>) => void;
  readonly onBack: () => void;
}) {
  const t = useMessages("question");
  const [before, setBefore] = useState(approval.arguments);
  const fields = useMemo(() => {
    const compareNames = createReadingOrder(approval.tool);
    return buildFields(approval.parameters, before).toSorted((a, b) => compareNames(a.name, b.name));
  }, [approval, before]);
  const [draft, setDraft] = useState(() => formatFields(fields, before));
  const [raw, setRaw] = useState<string | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const busy = isAnswerPending(progress);

  const read = (): ParsedArguments => (raw === null ? parseFieldTexts(fields, draft, before) : parseRawArguments(raw));
  /** Calls `use` with the parsed arguments, or shows the problems if they cannot be parsed. */
  const withArguments = (use: (args: Record<string, unknown>) => void) => {
    const now = read();
    setProblems(now.ok ? NO_PROBLEMS : now.problems);
    if (now.ok) use(now.arguments);
  };
  const switchMode = () =>
    withArguments((args) => {
      setBefore(args);
      setDraft(formatFields(buildFields(approval.parameters, args), args));
      setRaw(raw === null ? formatEscapedJson(args) : null);
    });

  const refusal = progress.status === "failed" ? progress.refusal : null;
  const form = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, refusal]);
  const problemField = refusal === null || raw !== null ? null : findProblemField(refusal.field, fields);
  const getProblem = (name: string) => {
    const problem = problems.get(name);
    if (problem !== undefined) return t(problem);
    return refusal !== null && problemField === name ? stripFieldPath(refusal.message) : undefined;
  };

  return (
    <fieldset ref={form} className={styles["edit"]} disabled={busy}>
      <legend>{t("editArguments")}</legend>
      <div className={styles["modes"]} role="group" aria-label={t("editArguments")}>
        <Button
          look={raw === null ? "plain" : "quiet"}
          aria-pressed={raw === null}
          onClick={raw === null ? undefined : switchMode}
        >
          {t("asFields")}
        </Button>
        <Button
          look={raw === null ? "quiet" : "plain"}
          aria-pressed={raw !== null}
          onClick={raw === null ? switchMode : undefined}
        >
          {t("asJson")}
        </Button>
      </div>
      {raw === null ? (
        fields.map((field) => (
          <ArgumentField
            key={field.name}
            field={field}
            value={draft.get(field.name) ?? ""}
            error={getProblem(field.name)}
            onChange={(value) => setDraft((now) => new Map(now).set(field.name, value))}
          />
        ))
      ) : (
        <TextArea
          label={t("allArguments")}
          rows={Math.min(24, raw.split("\n").length + 1)}
          className={styles["mono"] ?? ""}
          spellCheck={false}
          value={raw}
          error={getProblem("")}
          onChange={(event) => setRaw(event.target.value)}
        />
      )}
      <div className={styles["actions"]}>
        <Button look="primary" onClick={() => withArguments(onApprove)}>
          <Check size={16} aria-hidden />
          {t("approveEdited")}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
      </div>
      <AnswerStatus progress={progress} isAtField={problemField !== null} />
    </fieldset>
  );
}
