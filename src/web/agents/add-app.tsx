import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { Agent } from "../../protocol/agent.ts";
import type { AppInput } from "../../protocol/app.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import styles from "./add-agent.module.css";
import { AppFields } from "./app-fields.tsx";
import { appOf, EMPTY_FORM, formOf, readApp, wrongIn, type AppForm, type Wrong } from "./app-form.ts";
import { Refusal } from "./refusal.tsx";
import { WORDS } from "./words.ts";

const NOTHING: Wrong = {};

type Draft = { readonly as: "form"; readonly form: AppForm } | { readonly as: "json"; readonly text: string };

/** Registers an app. Its configuration is a form or JSON text; each converts to the other. */
export function AddApp({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const say = useWords(WORDS);
  const [draft, setDraft] = useState<Draft>({ as: "form", form: EMPTY_FORM });
  const [wrong, setWrong] = useState<Wrong>(NOTHING);
  const [jsonError, setJsonError] = useState<string>();
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  const register = useMutation({ mutationFn: (app: AppInput) => api.registerAgent(app), onSuccess: onDone });
  const read = (text: string) => {
    const result = readApp(text);
    if (result.kind === "app") return result.app;
    setJsonError(result.kind === "json" ? say("badJson", result) : say("badConfig", result));
    return null;
  };
  const change = (next: Draft) => {
    setDraft(next);
    setWrong(NOTHING);
    setJsonError(undefined);
  };
  const turn = () => {
    if (draft.as === "form") return change({ as: "json", text: JSON.stringify(appOf(draft.form), null, 2) });
    const app = read(draft.text);
    if (app !== null) change({ as: "form", form: formOf(app) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.reset();
    if (draft.as === "json") {
      const app = read(draft.text);
      if (app !== null) register.mutate(app);
      return;
    }
    const found = wrongIn(draft.form);
    setWrong(found);
    if (Object.keys(found).length === 0) register.mutate(appOf(draft.form));
  };
  return (
    <form ref={element} className={styles["form"]} onSubmit={submit} noValidate>
      {draft.as === "form" ? (
        <AppFields form={draft.form} wrong={wrong} onChange={(form) => change({ as: "form", form })} />
      ) : (
        <TextArea
          label={say("json")}
          rows={16}
          className={styles["code"] ?? ""}
          spellCheck={false}
          value={draft.text}
          error={jsonError}
          onChange={(event) => change({ as: "json", text: event.target.value })}
        />
      )}
      {register.error === null ? null : <Refusal error={register.error} />}
      <div className={styles["actions"]}>
        <Button look="quiet" onClick={turn}>
          {say(draft.as === "form" ? "asJson" : "asForm")}
        </Button>
        <Button type="submit" look="primary" disabled={register.isPending}>
          {say("register")}
        </Button>
      </div>
    </form>
  );
}
