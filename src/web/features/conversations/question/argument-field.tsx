import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import styles from "./question-card.module.css";
import type { FieldSpec } from "./schema-form.ts";

type ArgumentFieldProps = {
  readonly field: FieldSpec;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

/** The field of one argument, with its error, its invisible characters or its description below. */
export function ArgumentField({ field, value, error, onChange }: ArgumentFieldProps) {
  const t = useMessages("question");
  const name = escapeInvisible(field.label);
  const label = field.isRequired ? name : t("optional", { name });
  const hidden = revealHiddenCharacters(value);
  const about = hidden === null ? field.description : t("hiddenCharacters", { text: hidden });
  const hint = about === undefined ? {} : { hint: about };
  switch (field.kind) {
    case "text":
    case "json":
      return field.isLong || field.kind === "json" ? (
        <TextArea
          label={label}
          rows={Math.min(20, Math.max(2, value.split("\n").length))}
          className={field.kind === "json" || value.includes("\n") ? (styles["mono"] ?? "") : ""}
          spellCheck={field.kind === "text" && !value.includes("\n")}
          value={value}
          error={error}
          {...hint}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Field label={label} value={value} error={error} {...hint} onChange={(event) => onChange(event.target.value)} />
      );
    case "number":
    case "integer":
      return (
        <Field
          label={label}
          inputMode={field.kind === "integer" ? "numeric" : "decimal"}
          value={value}
          error={error}
          {...hint}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "boolean":
      return (
        <label className={styles["switch"]}>
          <input
            type="checkbox"
            checked={value === "true"}
            onChange={(event) => onChange(String(event.target.checked))}
          />
          <span>
            {label}
            {field.description === undefined ? null : <span className={styles["hint"]}>{field.description}</span>}
          </span>
        </label>
      );
    case "choice":
      return <ChoiceField field={field} label={label} value={value} error={error} onChange={onChange} />;
  }
}

function ChoiceField({ field, label, value, error, onChange }: ArgumentFieldProps & { readonly label: string }) {
  const t = useMessages("question");
  const nothing: readonly (readonly [string, string])[] = field.isRequired && value !== "" ? [] : [["", t("nothing")]];
  const choices = field.choices.map((choice) => [choice, formatChoice(choice)] as const);
  return (
    <Select
      label={label}
      hint={field.description}
      error={error}
      value={value}
      options={[...nothing, ...choices]}
      onChange={onChange}
    />
  );
}

/** Formats a choice, which is JSON; strings lose their quotes. */
function formatChoice(choice: string): string {
  const value: unknown = JSON.parse(choice);
  return escapeInvisible(typeof value === "string" ? value : choice);
}

/** Returns the text with invisible characters escaped; null if it has none. */
function revealHiddenCharacters(text: string): string | null {
  const lines = text.split("\n").map((line) => line.replaceAll("\t", " "));
  return lines.some((line) => escapeInvisible(line) !== line) ? lines.map(escapeInvisible).join(" ") : null;
}
