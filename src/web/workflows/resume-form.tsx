import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { createId } from "../../protocol/wire/ids.ts";
import type { InstanceHold, WorkflowInstanceDetails } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { useWords } from "../language.ts";
import { toUserError } from "../user-error.ts";
import { api } from "../full-api.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { showToast } from "../ui/toast.tsx";
import { listInputNames, buildResumeContext, formatContextValue, type MissingValue } from "./context-form.ts";
import styles from "./workflow-instance.module.css";
import { translateReason } from "./translate-reason.ts";
import { WORDS } from "./words.ts";

const getFieldKey = ({ task_id, name }: MissingValue): string => `${task_id}.${name}`;

/** Shows why an instance is on hold, with a form for the values that it needs to resume. */
export function ResumeForm({
  instance,
  hold,
  template,
}: {
  readonly instance: WorkflowInstanceDetails;
  readonly hold: InstanceHold;
  readonly template: WorkflowTemplate | undefined;
}) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
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
      showToast(say("resumed"));
      void queries.invalidateQueries({ queryKey: ["instance", id] });
      void queries.invalidateQueries({ queryKey: ["instances"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (missing.every((one) => getText(one).trim() !== "")) resume.mutate();
  };
  const nameOf = (taskId: string) => tasks.find(({ task_id }) => task_id === taskId)?.name ?? taskId;
  return (
    <section className={styles["held"]} aria-label={say("heldTitle")}>
      <h2>{say("heldTitle")}</h2>
      {missing.length === 0 ? <p>{translateReason(say, message)}</p> : null}
      <form className={styles["form"]} onSubmit={submit} noValidate>
        <p className={styles["quiet"]}>{say(missing.length === 0 ? "heldFailed" : "heldMissing")}</p>
        {missing.map((one) => (
          <Field
            key={getFieldKey(one)}
            label={say("valueFor", { name: one.name, task: nameOf(one.task_id) })}
            autoComplete="off"
            value={getText(one)}
            error={wasSubmitted && getText(one).trim() === "" ? say("needed") : undefined}
            onChange={(event) => change(one, event.target.value)}
          />
        ))}
        {initialValues.length === 0 ? null : (
          <details className={styles["change"]}>
            <summary>{say("change")}</summary>
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
            {say(missing.length === 0 ? "retryNow" : "resume")}
          </Button>
        </div>
      </form>
    </section>
  );
}
