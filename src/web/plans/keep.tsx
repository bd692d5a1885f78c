import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { Fault, toFault } from "../../protocol/fault.ts";
import type { KeptPlanTemplate, PlanInput, PlanTemplate } from "../../protocol/plan-template.ts";
import { isExactJson } from "../exact.ts";
import { useWords } from "../language.ts";
import { WORDS as FIELDS } from "../question/words.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { toast } from "../ui/toast.tsx";
import { configOf } from "./config.ts";
import { EXAMPLE } from "./example.ts";
import styles from "./form.module.css";
import { Problems } from "./problems.tsx";
import { WORDS } from "./words.ts";

/** Edits a template as JSON: a new template, or the next version of an existing one. The server validates it. */
export function Keep({ template, onClose }: { readonly template: PlanTemplate | null; readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const sayField = useWords(FIELDS);
  const formId = useId();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [text, setText] = useState(() => JSON.stringify(template === null ? EXAMPLE : configOf(template), null, 2));
  const [wrong, setWrong] = useState<string>();
  const keep = useMutation({
    mutationFn: (config: PlanInput) =>
      template === null
        ? api.createPlanTemplate(config)
        : api.updatePlanTemplate(template.plan_id, { ...config, version: template.version }),
    onSuccess: (kept) => {
      void queries.invalidateQueries({ queryKey: ["templates"] });
      void queries.invalidateQueries({ queryKey: ["template", kept.plan_id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep.reset();
    try {
      const config = JSON.parse(text) as PlanInput;
      if (!isExactJson(text)) return setWrong(sayField("inexact"));
      // The server validates everything else.
      keep.mutate(config, { onSuccess: leave });
    } catch (thrown) {
      setWrong(say("jsonWrong", { message: thrown instanceof Error ? thrown.message : "" }));
    }
  };
  const leave = ({ name, plan_id, warnings }: KeptPlanTemplate) => {
    toast(say("kept", { name }));
    if (warnings.length > 0) toast(say("warnings", { n: warnings.length }));
    onClose();
    go(`/plans/${plan_id}`);
  };
  const actions = (
    <>
      <Button onClick={onClose}>{say("cancel")}</Button>
      <Button type="submit" form={formId} look="primary" disabled={keep.isPending}>
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
        {keep.error === null ? null : <Refused error={keep.error} />}
        <TextArea
          label={say("configuration")}
          rows={14}
          spellCheck={false}
          className={styles["code"] ?? ""}
          value={text}
          error={wrong}
          onChange={(event) => {
            setText(event.target.value);
            setWrong(undefined);
            keep.reset();
          }}
        />
      </form>
    </Dialog>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  const say = useWords(WORDS);
  const current = error instanceof Fault ? error.detail.current_version : undefined;
  const fault = toFault(error);
  const problems = fault.detail.problems ?? [{ path: fault.field ?? "", message: fault.message }];
  if (current !== undefined) return <Problems title={say("conflict", { n: current })} problems={[]} />;
  return <Problems title={say("problems", { n: problems.length })} problems={problems} />;
}
