import { useId } from "react";
import { useWords } from "../language.ts";
import { Field } from "../ui/field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import styles from "./add-agent.module.css";
import type { AppForm, Wrong } from "./app-form.ts";
import { WORDS } from "./words.ts";

type FieldsProps = {
  readonly form: AppForm;
  readonly wrong: Wrong;
  readonly onChange: (form: AppForm) => void;
};

export function AppFields({ form, wrong, onChange }: FieldsProps) {
  const say = useWords(WORDS);
  const of = (field: "name" | "displayName" | "description" | "instructions" | "tools") => ({
    value: form[field],
    error: saidOf(wrong[field], say),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [field]: target.value }),
  });
  return (
    <>
      <Field label={say("name")} hint={say("nameHint")} spellCheck={false} autoComplete="off" {...of("name")} />
      <Field label={say("displayName")} autoComplete="off" {...of("displayName")} />
      <TextArea label={say("description")} hint={say("descriptionHint")} rows={2} {...of("description")} />
      <TextArea label={say("instructions")} hint={say("instructionsHint")} rows={4} {...of("instructions")} />
      <ServerFields form={form} wrong={wrong} onChange={onChange} />
      <Field label={say("tools")} hint={say("toolsHint")} spellCheck={false} autoComplete="off" {...of("tools")} />
    </>
  );
}

function ServerFields({ form, wrong, onChange }: FieldsProps) {
  const say = useWords(WORDS);
  const name = useId();
  const of = (field: "url" | "headers" | "binding") => ({
    value: form[field],
    error: saidOf(wrong[field], say),
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
          <Field label={say("mcpUrlLabel")} type="url" placeholder="https://mcp.example.com/mcp" {...of("url")} />
          <TextArea label={say("headers")} hint={say("headersHint")} rows={2} {...of("headers")} />
        </>
      ) : (
        <Field label={say("bindingLabel")} {...of("binding")} />
      )}
    </fieldset>
  );
}

function saidOf(word: Wrong[keyof AppForm], say: (word: keyof typeof WORDS.en) => string): string | undefined {
  return word === undefined ? undefined : say(word);
}
