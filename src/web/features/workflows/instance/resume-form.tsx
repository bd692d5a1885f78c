import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { createId } from "../../../../protocol/wire/ids.ts";
import type { InstanceHold, WorkflowInstanceDetails } from "../../../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../../../protocol/workflows/workflow-template.ts";
import { useMessages } from "../../../session/language.ts";
import { toUserError } from "../../../session/user-error.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { listInputNames, buildResumeContext, formatContextValue, type MissingValue } from "../context-form.ts";
import { drawInstance, replaceListenerId } from "../diagram/drawn-workflow.ts";
import { useListenerNames } from "../diagram/workflow-diagram.tsx";
import styles from "./workflow-instance.module.css";

const getFieldKey = ({ task_id, name }: MissingValue): string => `${task_id}.${name}`;

/**
 * Shows why an instance is on hold, with a form for the missing values, all required, and the initial values, which can
 * be corrected. Resumes the instance, shows a toast and refetches it; an error is shown in the form.
 */
export function ResumeForm({
  instance,
  hold,
  template,
}: {
  readonly instance: WorkflowInstanceDetails;
  readonly hold: InstanceHold;
  readonly template: WorkflowTemplate | undefined;
}) {
  const t = useMessages("workflows");
  const queries = useQueryClient();
  const listenerNames = useListenerNames(drawInstance(instance, template, null));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [wasSubmitted, setSubmitted] = useState(false);
  const [command] = useState(() => createId("cmd"));
  const { plan_instance_id: id, tasks, main_task_id } = instance;
  const { missing, message } = hold;
  const known = tasks.find(({ task_id }) => task_id === main_task_id)?.context ?? {};
  /** The initial values can be corrected, because they may have caused the failure. */
  const initialValues = (template === undefined ? [] : listInputNames(template))
    .filter((name) => name in known && !missing.some((one) => one.name === name && one.task_id === main_task_id))
    .map((name): MissingValue => ({ task_id: main_task_id, name }));
  const getText = (one: MissingValue) => values[getFieldKey(one)] ?? "";
  const change = (one: MissingValue, text: string) => setValues({ ...values, [getFieldKey(one)]: text });
  const resume = useMutation({
    mutationFn: () =>
      api.resumePlanInstance(id, { context: buildResumeContext([...missing, ...initialValues], getText), id: command }),
    onSuccess() {
      showToast(t("resumed"));
      void queries.invalidateQueries({ queryKey: ["instance", id] });
      void queries.invalidateQueries({ queryKey: ["instances"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (missing.every((one) => getText(one).trim() !== "")) resume.mutate();
  };
  const getTaskName = (taskId: string) => tasks.find(({ task_id }) => task_id === taskId)?.name ?? taskId;
  return (
    <section className={styles["held"]} aria-label={t("onHold")}>
      <h2>{t("onHold")}</h2>
      {missing.length === 0 ? <p>{replaceListenerId(message, listenerNames)}</p> : null}
      <form className={styles["form"]} onSubmit={submit} noValidate>
        <p className="quiet">{t(missing.length === 0 ? "retryToContinue" : "fillInToContinue")}</p>
        {missing.map((one) => (
          <Field
            key={getFieldKey(one)}
            label={t("valueFor", { name: one.name, task: getTaskName(one.task_id) })}
            autoComplete="off"
            value={getText(one)}
            error={wasSubmitted && getText(one).trim() === "" ? t("required") : undefined}
            onChange={(event) => change(one, event.target.value)}
          />
        ))}
        {initialValues.length === 0 ? null : (
          <details className={styles["change"]}>
            <summary>{t("changeInitialValues")}</summary>
            {initialValues.map((one) => (
              <Field
                key={getFieldKey(one)}
                label={one.name}
                autoComplete="off"
                value={values[getFieldKey(one)] ?? formatContextValue(known[one.name])}
                onChange={(event) => change(one, event.target.value)}
              />
            ))}
          </details>
        )}
        {resume.error === null ? null : (
          <p role="alert" className={styles["error"]}>
            {toUserError(resume.error).message}
          </p>
        )}
        <div>
          <Button type="submit" look="primary" disabled={resume.isPending}>
            {t(missing.length === 0 ? "retry" : "resume")}
          </Button>
        </div>
      </form>
    </section>
  );
}
