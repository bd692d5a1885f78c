import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { EXAMPLE_WORKFLOW } from "../../../../protocol/workflows/example-workflow.ts";
import { Fault, toFault } from "../../../../protocol/wire/fault.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowConfigInput,
  WorkflowTemplate,
} from "../../../../protocol/workflows/workflow-template.ts";
import { hasLosslessNumbers } from "../../../ui/format/lossless-numbers.ts";
import { useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { toPlanInput } from "./template-config.ts";
import styles from "../workflow-form.module.css";
import { TemplateProblemList } from "./template-status-dialog.tsx";

/**
 * Edits a template as JSON: the next version of `template`, or for null a new template, initially an example. The
 * server validates it; problems are listed. After saving it shows a toast, closes and opens the page of the template.
 */
export function TemplateEditorDialog({
  template,
  onClose,
}: {
  readonly template: WorkflowTemplate | null;
  readonly onClose: () => void;
}) {
  const t = useMessages("workflows");
  const tField = useMessages("question");
  const formId = useId();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [text, setText] = useState(() =>
    JSON.stringify(template === null ? EXAMPLE_WORKFLOW : toPlanInput(template), null, 2),
  );
  const [jsonError, setJsonError] = useState<string>();
  const save = useMutation({
    mutationFn: (config: WorkflowConfigInput) =>
      template === null
        ? api.createPlanTemplate(config)
        : api.updatePlanTemplate(template.plan_id, { ...config, version: template.version }),
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: ["templates"] });
      void queries.invalidateQueries({ queryKey: ["template", saved.plan_id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.reset();
    try {
      const config = JSON.parse(text) as WorkflowConfigInput;
      if (!hasLosslessNumbers(text)) return setJsonError(tField("inexact"));
      // The server validates everything else.
      save.mutate(config, { onSuccess: finish });
    } catch (thrown) {
      setJsonError(t("jsonWrong", { message: thrown instanceof Error ? thrown.message : "" }));
    }
  };
  const finish = ({ name, plan_id, warnings }: SavedWorkflowTemplate) => {
    showToast(t("saved", { name }));
    if (warnings.length > 0) showToast(t("warnings", { n: warnings.length }));
    onClose();
    navigate(`/plans/${plan_id}`);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      <Button type="submit" form={formId} look="primary" disabled={save.isPending}>
        {t("save")}
      </Button>
    </>
  );
  return (
    <Dialog
      title={template === null ? t("newTitle") : t("versionTitle", { name: template.name })}
      onClose={onClose}
      actions={actions}
    >
      <form id={formId} className={styles["form"]} onSubmit={submit} noValidate>
        <p className="quiet">{t("newMore")}</p>
        {save.error === null ? null : <SaveProblems error={save.error} />}
        <TextArea
          label={t("configuration")}
          rows={14}
          spellCheck={false}
          className={styles["code"] ?? ""}
          value={text}
          error={jsonError}
          onChange={(event) => {
            setText(event.target.value);
            setJsonError(undefined);
            save.reset();
          }}
        />
      </form>
    </Dialog>
  );
}

function SaveProblems({ error }: { readonly error: unknown }) {
  const t = useMessages("workflows");
  const current = error instanceof Fault ? error.detail.current_version : undefined;
  const fault = toFault(error);
  const problems = fault.detail.problems ?? [{ path: fault.field ?? "", message: fault.message }];
  if (current !== undefined) return <TemplateProblemList title={t("conflict", { n: current })} problems={[]} />;
  return <TemplateProblemList title={t("problems", { n: problems.length })} problems={problems} />;
}
