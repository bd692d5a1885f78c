import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { createId } from "../../../../protocol/wire/ids.ts";
import type { StartInstanceRequest } from "../../../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../../../protocol/workflows/workflow-template.ts";
import { LANGUAGES, useLanguage, useMessages } from "../../../session/language.ts";
import { toUserError } from "../../../session/user-error.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import { parseContextFields, parseExtraContext, listInputNames } from "../context-form.ts";
import styles from "../workflow-form.module.css";
import { TemplateProblemList } from "./template-status-dialog.tsx";

/**
 * The dialog that starts an instance of a template with initial values and opens it. Values left empty are requested
 * when they are needed. An error is shown in the dialog.
 */
export function StartWorkflowDialog({
  template,
  onClose,
}: {
  readonly template: WorkflowTemplate;
  readonly onClose: () => void;
}) {
  const t = useMessages("workflows");
  const tField = useMessages("question");
  const formId = useId();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const names = listInputNames(template);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [extra, setExtra] = useState("");
  const [isVerified, setVerified] = useState(true);
  const [language, setLanguage] = useState<string>(useLanguage());
  /** The id of the command is stable, so that a repeated request starts only one instance. */
  const [command] = useState(() => createId("cmd"));
  const read = parseExtraContext(extra);
  const inexact = read.kind === "inexact" ? tField("inexact") : undefined;
  const wrong = read.kind === "wrong" ? t("extraWrong", { message: read.message }) : inexact;
  const start = useMutation({
    mutationFn: (given: Partial<StartInstanceRequest>) =>
      api.startPlanInstance(template.plan_id, { ...given, id: command }),
    onSuccess({ plan_instance_id: id }) {
      void queries.invalidateQueries({ queryKey: ["instances"] });
      onClose();
      navigate(`/instances/${id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read.kind !== "context") return;
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    start.mutate({
      context: { ...read.context, ...parseContextFields(values) },
      verify: isVerified,
      language,
      timezone,
    });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      <Button type="submit" form={formId} look="primary" disabled={start.isPending}>
        {t("start")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("startTitle", { name: template.name })} onClose={onClose} actions={actions}>
      <form id={formId} className={styles["form"]} onSubmit={submit} noValidate>
        <p className="quiet">{t(names.length === 0 ? "startNothing" : "startMore")}</p>
        {names.map((name) => (
          <Field
            key={name}
            label={name}
            autoComplete="off"
            value={values[name] ?? ""}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        ))}
        <TextArea
          label={t("extra")}
          hint={t("extraHint", {})}
          rows={2}
          spellCheck={false}
          className={styles["code"] ?? ""}
          value={extra}
          error={wrong}
          onChange={(event) => setExtra(event.target.value)}
        />
        <Select label={t("language")} value={language} options={Object.entries(LANGUAGES)} onChange={setLanguage} />
        <label className={styles["check"]}>
          <input type="checkbox" checked={isVerified} onChange={(event) => setVerified(event.target.checked)} />
          {t("verify")}
        </label>
        {start.error === null ? null : <TemplateProblemList title={toUserError(start.error).message} problems={[]} />}
      </form>
    </Dialog>
  );
}
