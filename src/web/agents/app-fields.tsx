import { useId } from "react";
import { useWords } from "../language.ts";
import { Field } from "../ui/field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import styles from "./add-agent-dialog.module.css";
import type { AppForm, AppFormErrors } from "./app-form.ts";
import { WORDS } from "./words.ts";

type AppFieldsProps = {
  readonly form: AppForm;
  readonly errors: AppFormErrors;
  readonly onChange: (form: AppForm) => void;
};

export function AppFields({ form, errors, onChange }: AppFieldsProps) {
  const say = useWords(WORDS);
  const getFieldProps = (field: "name" | "displayName" | "description" | "instructions" | "tools") => ({
    value: form[field],
    error: translateError(errors[field], say),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [field]: target.value }),
  });
  return (
    <>
      <Field
        label={say("name")}
        hint={say("nameHint")}
        spellCheck={false}
        autoComplete="off"
        {...getFieldProps("name")}
      />
      <Field label={say("displayName")} autoComplete="off" {...getFieldProps("displayName")} />
      <TextArea label={say("description")} hint={say("descriptionHint")} rows={2} {...getFieldProps("description")} />
      <TextArea
        label={say("instructions")}
        hint={say("instructionsHint")}
        rows={4}
        {...getFieldProps("instructions")}
      />
      <McpServerFields form={form} errors={errors} onChange={onChange} />
      <Field
        label={say("tools")}
        hint={say("toolsHint")}
        spellCheck={false}
        autoComplete="off"
        {...getFieldProps("tools")}
      />
    </>
  );
}

function McpServerFields({ form, errors, onChange }: AppFieldsProps) {
  const say = useWords(WORDS);
  const name = useId();
  const getFieldProps = (field: "url" | "headers" | "binding") => ({
    value: form[field],
    error: translateError(errors[field], say),
    spellCheck: false,
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [field]: target.value }),
  });
  return (
    <fieldset className={styles["server"]}>
      <legend>{say("mcp")}</legend>
      {(["url", "binding"] as const).map((server) => (
        <label key={server} className={styles["choice"]}>
          <input
            type="radio"
            name={name}
            checked={form.server === server}
            onChange={() => onChange({ ...form, server })}
          />
          {say(server === "url" ? "mcpUrl" : "mcpBinding")}
        </label>
      ))}
      {form.server === "url" ? (
        <>
          <Field
            label={say("mcpUrlLabel")}
            type="url"
            placeholder="https://mcp.example.com/mcp"
            {...getFieldProps("url")}
          />
          <TextArea label={say("headers")} hint={say("headersHint")} rows={2} {...getFieldProps("headers")} />
        </>
      ) : (
        <Field label={say("bindingLabel")} {...getFieldProps("binding")} />
      )}
    </fieldset>
  );
}

function translateError(
  word: AppFormErrors[keyof AppForm],
  say: (word: keyof typeof WORDS.en) => string,
): string | undefined {
  return word === undefined ? undefined : say(word);
}
