import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent, useId } from "react";
import type { Agent } from "../../../../protocol/agents/agent.ts";
import type { AppConfigInput } from "../../../../protocol/agents/app-config.ts";
import {
  UNTRUSTED_INPUT_POLICIES,
  type UntrustedInputPolicy,
} from "../../../../protocol/provenance/untrusted-input-policy.ts";
import { useMessages, type Translate } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import styles from "./add-agent-dialog.module.css";
import {
  toAppInput,
  EMPTY_APP_FORM,
  toAppForm,
  parseAppJson,
  validateAppForm,
  type AppForm,
  type AppFormErrors,
} from "./app-form.ts";
import { RegistrationError } from "./registration-error.tsx";

const NO_ERRORS: AppFormErrors = {};

type AppDraft = { readonly as: "form"; readonly form: AppForm } | { readonly as: "json"; readonly text: string };

/**
 * The form that registers an app. Its configuration is a form or JSON text; each converts to the other if it is valid.
 * Calls `onDone` after the registration; errors are shown in the form.
 */
export function AddAppForm({ onDone }: { readonly onDone: (agent: Agent) => void }) {
  const t = useMessages("agents");
  const [draft, setDraft] = useState<AppDraft>({ as: "form", form: EMPTY_APP_FORM });
  const [errors, setErrors] = useState<AppFormErrors>(NO_ERRORS);
  const [jsonError, setJsonError] = useState<string>();
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const register = useMutation({ mutationFn: (app: AppConfigInput) => api.registerAgent(app), onSuccess: onDone });
  const parseText = (text: string) => {
    const result = parseAppJson(text);
    if (result.kind === "app") return result.app;
    setJsonError(result.kind === "json" ? t("badJson", result) : t("badConfig", result));
    return null;
  };
  const change = (next: AppDraft) => {
    setDraft(next);
    setErrors(NO_ERRORS);
    setJsonError(undefined);
  };
  const toggleJson = () => {
    if (draft.as === "form") return change({ as: "json", text: JSON.stringify(toAppInput(draft.form), null, 2) });
    const app = parseText(draft.text);
    if (app !== null) change({ as: "form", form: toAppForm(app) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.reset();
    if (draft.as === "json") {
      const app = parseText(draft.text);
      if (app !== null) register.mutate(app);
      return;
    }
    const found = validateAppForm(draft.form);
    setErrors(found);
    if (Object.keys(found).length === 0) register.mutate(toAppInput(draft.form));
  };
  return (
    <form ref={element} className={styles["form"]} onSubmit={submit} noValidate>
      {draft.as === "form" ? (
        <AppFields form={draft.form} errors={errors} onChange={(form) => change({ as: "form", form })} />
      ) : (
        <TextArea
          label={t("json")}
          rows={16}
          className={styles["code"] ?? ""}
          spellCheck={false}
          value={draft.text}
          error={jsonError}
          onChange={(event) => change({ as: "json", text: event.target.value })}
        />
      )}
      {register.error === null ? null : <RegistrationError error={register.error} />}
      <div className={styles["actions"]}>
        <Button look="quiet" onClick={toggleJson}>
          {t(draft.as === "form" ? "editAsJson" : "editAsForm")}
        </Button>
        <Button type="submit" look="primary" disabled={register.isPending}>
          {t("register")}
        </Button>
      </div>
    </form>
  );
}

type AppFieldsProps = {
  readonly form: AppForm;
  readonly errors: AppFormErrors;
  readonly onChange: (form: AppForm) => void;
};

/** The fields of the form of an app, each with its error below. */
function AppFields({ form, errors, onChange }: AppFieldsProps) {
  const t = useMessages("agents");
  const getFieldProps = (field: "name" | "displayName" | "description" | "instructions" | "tools") => ({
    value: form[field],
    error: translateError(errors[field], t),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [field]: target.value }),
  });
  return (
    <>
      <Field label={t("name")} hint={t("nameHint")} spellCheck={false} autoComplete="off" {...getFieldProps("name")} />
      <Field label={t("displayName")} autoComplete="off" {...getFieldProps("displayName")} />
      <TextArea label={t("description")} hint={t("descriptionHint")} rows={2} {...getFieldProps("description")} />
      <TextArea label={t("instructions")} hint={t("instructionsHint")} rows={4} {...getFieldProps("instructions")} />
      <McpServerFields form={form} errors={errors} onChange={onChange} />
      <Field
        label={t("tools")}
        hint={t("toolsHint")}
        spellCheck={false}
        autoComplete="off"
        {...getFieldProps("tools")}
      />
      <UntrustedInputField
        value={form.untrustedInput}
        onChange={(untrustedInput) => onChange({ ...form, untrustedInput })}
      />
    </>
  );
}

/** The choice of what happens to calls whose arguments contain untrusted text. */
function UntrustedInputField({
  value,
  onChange,
}: {
  readonly value: UntrustedInputPolicy;
  readonly onChange: (value: UntrustedInputPolicy) => void;
}) {
  const t = useMessages("agents");
  const words = { ask: "untrustedAsk", trusted: "untrustedAllow", never: "untrustedBlock" } as const;
  return (
    <Select
      label={t("untrustedInput")}
      hint={t("untrustedInputHint")}
      value={value}
      options={UNTRUSTED_INPUT_POLICIES.map((policy) => [policy, t(words[policy])] as const)}
      onChange={(name) => onChange(UNTRUSTED_INPUT_POLICIES.find((policy) => policy === name) ?? value)}
    />
  );
}

function McpServerFields({ form, errors, onChange }: AppFieldsProps) {
  const t = useMessages("agents");
  const name = useId();
  const getFieldProps = (field: "url" | "headers" | "binding") => ({
    value: form[field],
    error: translateError(errors[field], t),
    spellCheck: false,
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [field]: target.value }),
  });
  return (
    <fieldset className={styles["server"]}>
      <legend>{t("mcp")}</legend>
      {(["url", "binding"] as const).map((server) => (
        <label key={server} className={styles["choice"]}>
          <input
            type="radio"
            name={name}
            checked={form.server === server}
            onChange={() => onChange({ ...form, server })}
          />
          {t(server === "url" ? "mcpUrl" : "mcpBinding")}
        </label>
      ))}
      {form.server === "url" ? (
        <>
          <Field
            label={t("mcpUrlLabel")}
            type="url"
            placeholder="https://mcp.example.com/mcp"
            {...getFieldProps("url")}
          />
          <TextArea label={t("headers")} hint={t("headersHint")} rows={2} {...getFieldProps("headers")} />
        </>
      ) : (
        <Field label={t("bindingLabel")} {...getFieldProps("binding")} />
      )}
    </fieldset>
  );
}

function translateError(word: AppFormErrors[keyof AppForm], t: Translate<"agents">): string | undefined {
  return word === undefined ? undefined : t(word);
}
