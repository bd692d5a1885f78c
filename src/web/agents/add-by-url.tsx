import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { Agent } from "../../protocol/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./add-agent.module.css";
import { halfFor } from "../bilingual.ts";
import { credentialsOf, NO_CREDENTIALS, wrongInCredentials } from "./credentials.ts";
import type { CredentialsForm, WrongCredentials } from "./credentials.ts";
import { CredentialsFields } from "./credentials-fields.tsx";
import { Refusal } from "./refusal.tsx";
import { addressOf } from "./registering.ts";
import { SkillList } from "./skill-list.tsx";
import { useAgents } from "./use-agents.ts";
import { WORDS } from "./words.ts";

type Call = { readonly url: string; readonly form: CredentialsForm };

/** Registers an agent by URL: enter the address, preview its card, confirm. */
export function AddByUrl({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const say = useWords(WORDS);
  const [written, setWritten] = useState("");
  const [form, setForm] = useState(NO_CREDENTIALS);
  const [wrong, setWrong] = useState<WrongCredentials>({});
  const url = addressOf(written);
  const preview = useMutation({ mutationFn: (to: Call) => api.previewAgent(to.url, credentialsOf(to.form)) });
  const register = useMutation({
    mutationFn: (to: Call) => {
      const credentials = credentialsOf(to.form);
      return api.registerAgent({ url: to.url, ...(credentials === undefined ? {} : { credentials }) });
    },
    onSuccess: onDone,
  });
  // Results for another address or other credentials must not be shown.
  const isOfThis = ({ variables }: { readonly variables: Call | undefined }) =>
    variables?.url === url && variables.form === form;
  const isSeen = preview.data !== undefined && isOfThis(preview);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.reset();
    const found = wrongInCredentials(form);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    (isSeen ? register : preview).mutate({ url, form });
  };
  const asked = register.error === null ? preview : register;
  const error = isOfThis(asked) ? asked.error : null;
  const isBusy = preview.isPending || register.isPending;
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <Field
        label={say("urlLabel")}
        hint={say("urlHint")}
        type="url"
        inputMode="url"
        placeholder="https://agents.example.com"
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        autoComplete="url"
        spellCheck={false}
        // The dialog exists for this input.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <CredentialsFields
        form={form}
        wrong={wrong}
        onChange={(next) => {
          setForm(next);
          setWrong({});
        }}
      />
      {error === null ? null : <Refusal error={error} url={url} />}
      {isSeen && preview.data !== undefined ? <Preview agent={preview.data} /> : null}
      <div className={styles["actions"]}>
        <Button type="submit" look="primary" disabled={isBusy || url === ""}>
          {isSeen ? say("register") : say(preview.isPending ? "looking" : "look")}
        </Button>
      </div>
    </form>
  );
}

function Preview({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const { data: known = [] } = useAgents();
  const { name, display_name: shown = name, description, skills, url, version } = agent;
  return (
    <section className={styles["preview"]} aria-live="polite" aria-label={say("cardTitle")}>
      <p className={styles["quiet"]}>{say("cardTitle")}</p>
      <div className={styles["who"]}>
        <Avatar name={name} label={shown} />
        <div>
          <h3>{shown}</h3>
          <p className={styles["quiet"]}>
            {name} · {version}
          </p>
        </div>
      </div>
      <p>{halfFor(language, description)}</p>
      <SkillList skills={skills} />
      <p className={styles["quiet"]}>{url}</p>
      {known.some((one) => one.name === name) ? <p className={styles["warning"]}>{say("replaces", { name })}</p> : null}
    </section>
  );
}
