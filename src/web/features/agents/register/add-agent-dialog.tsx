import { useQueryClient, useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import type { Agent } from "../../../../protocol/agents/agent.ts";
import { useMessages, useLanguage } from "../../../session/language.ts";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { AddAppForm } from "./add-app-form.tsx";
import { buildAgentAddress } from "../agent-address.ts";
import { api } from "../../../session/full-api.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import styles from "./add-agent-dialog.module.css";
import { pickLanguage } from "../../../ui/format/bilingual-text.ts";
import {
  type CredentialsForm,
  type CredentialsFormErrors,
  CredentialsFields,
  toCredentials,
  NO_CREDENTIALS,
  validateCredentialsForm,
} from "./credentials-fields.tsx";
import { RegistrationError, completeUrl } from "./registration-error.tsx";
import { SkillList } from "../agent-skills.tsx";
import { useAgents } from "../use-agents.ts";

/**
 * The dialog that registers an agent: by the URL of its card, or as a configured app. Afterwards it updates the caches,
 * shows a toast, closes, and opens the page of the agent.
 */
export function AddAgentDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("agents");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [method, setMethod] = useState<"url" | "app">("url");
  const handleRegistered = (agent: Agent) => {
    void queries.invalidateQueries({ queryKey: ["agents"] });
    queries.setQueryData(["agent", agent.name], agent);
    showToast(t("registered", { name: agent.display_name ?? agent.name }));
    onClose();
    navigate(buildAgentAddress(agent.name));
  };
  const tabs = [
    { name: "url", label: t("byUrl") },
    { name: "app", label: t("asApp") },
  ] as const;
  return (
    <Dialog title={t("add")} onClose={onClose}>
      <Tabs label={t("method")} tabs={tabs} chosen={method} onChoose={setMethod}>
        {/* Both stay mounted, so that their input survives a change of the tab. */}
        <div hidden={method !== "url"}>
          <AddAgentByUrlForm onDone={handleRegistered} />
        </div>
        <div hidden={method !== "app"}>
          <AddAppForm onDone={handleRegistered} />
        </div>
      </Tabs>
    </Dialog>
  );
}

type AgentCallInput = { readonly url: string; readonly form: CredentialsForm };

/**
 * The form that registers an agent by URL: enter address and credentials, preview the card, confirm. A change of either
 * hides preview and error. Calls `onDone` after the registration; errors are shown in the form.
 */
function AddAgentByUrlForm({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const t = useMessages("agents");
  const [input, setInput] = useState("");
  const [form, setForm] = useState(NO_CREDENTIALS);
  const [errors, setErrors] = useState<CredentialsFormErrors>({});
  const url = completeUrl(input);
  const preview = useMutation({
    mutationFn: (to: AgentCallInput) => api.previewAgent({ url: to.url, credentials: toCredentials(to.form) }),
  });
  const register = useMutation({
    mutationFn: (to: AgentCallInput) => api.registerAgent({ url: to.url, credentials: toCredentials(to.form) }),
    onSuccess: onDone,
  });
  // Results for another address or other credentials must not be shown.
  const isForCurrentInput = ({ variables }: { readonly variables: AgentCallInput | undefined }) =>
    variables?.url === url && variables.form === form;
  const isPreviewed = preview.data !== undefined && isForCurrentInput(preview);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.reset();
    const found = validateCredentialsForm(form);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    (isPreviewed ? register : preview).mutate({ url, form });
  };
  const lastRequest = register.error === null ? preview : register;
  const error = isForCurrentInput(lastRequest) ? lastRequest.error : null;
  const isBusy = preview.isPending || register.isPending;
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <Field
        label={t("urlLabel")}
        hint={t("urlHint")}
        type="url"
        inputMode="url"
        placeholder="https://agents.example.com"
        value={input}
        onChange={(event) => setInput(event.target.value)}
        autoComplete="url"
        spellCheck={false}
        // The dialog exists for this input.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <CredentialsFields
        form={form}
        errors={errors}
        onChange={(next) => {
          setForm(next);
          setErrors({});
        }}
      />
      {error === null ? null : <RegistrationError error={error} url={url} />}
      {isPreviewed && preview.data !== undefined ? <AgentPreview agent={preview.data} /> : null}
      <div className={styles["actions"]}>
        <Button type="submit" look="primary" disabled={isBusy || url === ""}>
          {isPreviewed ? t("register") : t(preview.isPending ? "previewing" : "preview")}
        </Button>
      </div>
    </form>
  );
}

function AgentPreview({ agent }: { readonly agent: Agent }) {
  const t = useMessages("agents");
  const language = useLanguage();
  const { data: known = [] } = useAgents();
  const { name, display_name: shown = name, description, skills, url, version } = agent;
  return (
    <section className={styles["preview"]} aria-live="polite" aria-label={t("cardTitle")}>
      <p className="quiet">{t("cardTitle")}</p>
      <div className={styles["who"]}>
        <Avatar name={name} label={shown} />
        <div>
          <h3>{shown}</h3>
          <p className="quiet">
            {name} · {version}
          </p>
        </div>
      </div>
      <p>{pickLanguage(language, description)}</p>
      <SkillList skills={skills} />
      <p className="quiet">{url}</p>
      {known.some((one) => one.name === name) ? <p className={styles["warning"]}>{t("replaces", { name })}</p> : null}
    </section>
  );
}
