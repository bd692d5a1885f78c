import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { Fault, toFault } from "../../protocol/wire/fault.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowConfigInput,
  WorkflowTemplate,
} from "../../protocol/workflows/workflow-template.ts";
import { hasLosslessNumbers } from "../lossless-numbers.ts";
import { useWords } from "../language.ts";
import { WORDS as FIELDS } from "../question/words.ts";
import { api } from "../full-api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { showToast } from "../ui/toast.tsx";
import { toPlanInput } from "./template-config.ts";
import { EXAMPLE_TEMPLATE } from "./example-template.ts";
import styles from "./workflow-form.module.css";
import { TemplateProblemList } from "./template-problem-list.tsx";
import { WORDS } from "./words.ts";

/** Edits a template as JSON: a new template, or the next version of an existing one. The server validates it. */
export function TemplateEditorDialog({
  template,
  onClose,
}: {
  readonly template: WorkflowTemplate | null;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const sayField = useWords(FIELDS);
  const formId = useId();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [text, setText] = useState(() =>
    JSON.stringify(template === null ? EXAMPLE_TEMPLATE : toPlanInput(template), null, 2),
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
      if (!hasLosslessNumbers(text)) return setJsonError(sayField("inexact"));
      // The server validates everything else.
      save.mutate(config, { onSuccess: finish });
    } catch (thrown) {
      setJsonError(say("jsonWrong", { message: thrown instanceof Error ? thrown.message : "" }));
    }
  };
  const finish = ({ name, plan_id, warnings }: SavedWorkflowTemplate) => {
    showToast(say("kept", { name }));
    if (warnings.length > 0) showToast(say("warnings", { n: warnings.length }));
    onClose();
    go(`/plans/${plan_id}`);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{say("cancel")}</Button>
      <Button type="submit" form={formId} look="primary" disabled={save.isPending}>
        {say("keep")}
      </Button>
    </>
  );
  return (
    <Dialog
      title={template === null ? say("newTitle") : say("versionTitle", { name: template.name })}
      onClose={onClose}
      actions={actions}
    >
      <form id={formId} className={styles["form"]} onSubmit={submit} noValidate>
        <p className={styles["quiet"]}>{say("newMore")}</p>
        {save.error === null ? null : <SaveProblems error={save.error} />}
        <TextArea
          label={say("configuration")}
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
  const say = useWords(WORDS);
  const current = error instanceof Fault ? error.detail.current_version : undefined;
  const fault = toFault(error);
  const problems = fault.detail.problems ?? [{ path: fault.field ?? "", message: fault.message }];
  if (current !== undefined) return <TemplateProblemList title={say("conflict", { n: current })} problems={[]} />;
  return <TemplateProblemList title={say("problems", { n: problems.length })} problems={problems} />;
}
