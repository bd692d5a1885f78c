import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { createId } from "../../protocol/wire/ids.ts";
import type { StartInstanceRequest } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { LANGUAGES, useLanguage, useWords } from "../language.ts";
import { toUserError } from "../user-error.ts";
import { WORDS as FIELDS } from "../question/words.ts";
import { api } from "../full-api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { parseContextFields, parseExtraContext, listInputNames } from "./context-form.ts";
import styles from "./workflow-form.module.css";
import { TemplateProblemList } from "./template-problem-list.tsx";
import { WORDS } from "./words.ts";

/** Starts an instance with initial values and navigates to it. Values left empty are requested when they are needed. */
export function StartWorkflowDialog({
  template,
  onClose,
}: {
  readonly template: WorkflowTemplate;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const sayField = useWords(FIELDS);
  const formId = useId();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const names = listInputNames(template);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [extra, setExtra] = useState("");
  const [isVerified, setVerified] = useState(true);
  const [language, setLanguage] = useState<string>(useLanguage());
  /** The id of the command is stable, so that a repeated request starts only one instance. */
  const [command] = useState(() => createId("cmd"));
  const read = parseExtraContext(extra);
  const inexact = read.kind === "inexact" ? sayField("inexact") : undefined;
  const wrong = read.kind === "wrong" ? say("extraWrong", { message: read.message }) : inexact;
  const start = useMutation({
    mutationFn: (given: Partial<StartInstanceRequest>) =>
      api.startPlanInstance(template.plan_id, { ...given, id: command }),
    onSuccess({ plan_instance_id: id }) {
      void queries.invalidateQueries({ queryKey: ["instances"] });
      onClose();
      go(`/instances/${id}`);
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
      <Button onClick={onClose}>{say("cancel")}</Button>
      <Button type="submit" form={formId} look="primary" disabled={start.isPending}>
        {say("start")}
      </Button>
    </>
  );
  return (
    <Dialog title={say("startTitle", { name: template.name })} onClose={onClose} actions={actions}>
      <form id={formId} className={styles["form"]} onSubmit={submit} noValidate>
        <p className={styles["quiet"]}>{say(names.length === 0 ? "startNothing" : "startMore")}</p>
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
          label={say("extra")}
          hint={say("extraHint", {})}
          rows={2}
          spellCheck={false}
          className={styles["code"] ?? ""}
          value={extra}
          error={wrong}
          onChange={(event) => setExtra(event.target.value)}
        />
        <Select label={say("language")} value={language} options={Object.entries(LANGUAGES)} onChange={setLanguage} />
        <label className={styles["check"]}>
          <input type="checkbox" checked={isVerified} onChange={(event) => setVerified(event.target.checked)} />
          {say("verify")}
        </label>
        {start.error === null ? null : <TemplateProblemList title={toUserError(start.error).message} problems={[]} />}
      </form>
    </Dialog>
  );
}
