import { useMutation } from "@tanstack/react-query";
import { toFault } from "../../../../protocol/wire/fault.ts";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import styles from "../workflow-form.module.css";
import { useEffect, useRef } from "react";
import type { WorkflowProblem } from "../../../../protocol/workflows/workflow-template.ts";
import { removeFieldPrefix } from "../../../session/user-error.ts";

/**
 * Asks before a change of the status of a template. Closes when `onConfirm` resolves; if it rejects, stays open and
 * lists the problems that the server reports.
 */
export function TemplateStatusDialog({
  title,
  words,
  action,
  isDangerous,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly words: string;
  readonly action: string;
  readonly isDangerous: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const t = useMessages("workflows");
  const change = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const fault = change.error === null ? null : toFault(change.error);
  const problems =
    fault?.detail.problems ?? (fault === null ? [] : [{ path: fault.field ?? "", message: fault.message }]);
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      <Button look={isDangerous ? "danger" : "primary"} disabled={change.isPending} onClick={() => change.mutate()}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <div className={styles["form"]}>
        <p>{words}</p>
        {fault === null ? null : (
          <TemplateProblemList title={t("problems", { n: problems.length })} problems={problems} />
        )}
      </div>
    </Dialog>
  );
}

/** Lists the problems of a template with their paths, below the title. Scrolled into view and announced. */
export function TemplateProblemList({
  title,
  problems,
}: {
  readonly title: string;
  readonly problems: readonly WorkflowProblem[];
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Do not return the result: newer browsers return a promise, which is not a cleanup function.
    container.current?.scrollIntoView({ block: "nearest" });
  }, [problems]);
  return (
    <div ref={container} role="alert" className={styles["problems"]}>
      <strong>{title}</strong>
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === "" ? null : <code>{path}</code>} {removeFieldPrefix(message, path)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
