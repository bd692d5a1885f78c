import { useId } from "react";
import { useMessages, type Translate } from "../../../session/language.ts";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import styles from "./add-agent-dialog.module.css";
import type { AppForm, AppFormErrors } from "./app-form.ts";

type AppFieldsProps = {
  readonly form: AppForm;
  readonly errors: AppFormErrors;
  readonly onChange: (form: AppForm) => void;
};

/** The fields of the form of an app, each with its error below. */
export function AppFields({ form, errors, onChange }: AppFieldsProps) {
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
    </>
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
