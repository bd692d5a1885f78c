import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { mint } from "../../protocol/ids.ts";
import type { Hold, PlanInstance } from "../../protocol/plan-instance.ts";
import type { PlanTemplate } from "../../protocol/plan-template.ts";
import { useWords } from "../language.ts";
import { refusalOf } from "../refusal.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import { inputsOf, resumptionOf, textOf, type MissingValue } from "./context-form.ts";
import styles from "./instance.module.css";
import { reasonIn } from "./reason.ts";
import { WORDS } from "./words.ts";

const keyOf = ({ task_id, name }: MissingValue): string => `${task_id}.${name}`;

/** Shows why an instance is on hold, with a form for the values that it needs to resume. */
export function Held({
  instance,
  hold,
  template,
}: {
  readonly instance: PlanInstance;
  readonly hold: Hold;
  readonly template: PlanTemplate | undefined;
}) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const [command] = useState(() => mint("cmd"));
  const { plan_instance_id: id, tasks, main_task_id } = instance;
  const { missing, message } = hold;
  const known = tasks.find(({ task_id }) => task_id === main_task_id)?.context ?? {};
  /** The initial values can be corrected, because they may have caused the failure. */
  const given = (template === undefined ? [] : inputsOf(template))
    .filter((name) => name in known && !missing.some((one) => one.name === name && one.task_id === main_task_id))
    .map((name): MissingValue => ({ task_id: main_task_id, name }));
  const valueOf = (one: MissingValue) => values[keyOf(one)] ?? "";
  const change = (one: MissingValue, text: string) => setValues({ ...values, [keyOf(one)]: text });
  const resume = useMutation({
    mutationFn: () =>
      api.resumePlanInstance(id, { context: resumptionOf([...missing, ...given], valueOf), id: command }),
    onSuccess() {
      toast(say("resumed"));
      void queries.invalidateQueries({ queryKey: ["instance", id] });
      void queries.invalidateQueries({ queryKey: ["instances"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.every((one) => valueOf(one).trim() !== "")) resume.mutate();
  };
  const nameOf = (taskId: string) => tasks.find(({ task_id }) => task_id === taskId)?.name ?? taskId;
  return (
    <section className={styles["held"]} aria-label={say("heldTitle")}>
      <h2>{say("heldTitle")}</h2>
      {missing.length === 0 ? <p>{reasonIn(say, message)}</p> : null}
      <form className={styles["form"]} onSubmit={submit} noValidate>
        <p className={styles["quiet"]}>{say(missing.length === 0 ? "heldFailed" : "heldMissing")}</p>
        {missing.map((one) => (
          <Field
            key={keyOf(one)}
            label={say("valueFor", { name: one.name, task: nameOf(one.task_id) })}
            autoComplete="off"
            value={valueOf(one)}
            error={isTried && valueOf(one).trim() === "" ? say("needed") : undefined}
            onChange={(event) => change(one, event.target.value)}
          />
        ))}
        {given.length === 0 ? null : (
          <details className={styles["change"]}>
            <summary>{say("change")}</summary>
            {given.map((one) => (
              <Field
                key={keyOf(one)}
                label={one.name}
                autoComplete="off"
                value={values[keyOf(one)] ?? textOf(known[one.name])}
                onChange={(event) => change(one, event.target.value)}
              />
            ))}
          </details>
        )}
        {resume.error === null ? null : (
          <p role="alert" className={styles["error"]}>
            {refusalOf(resume.error).message}
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
