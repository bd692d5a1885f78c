import { useMessages } from "../../../session/language.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import type { CredentialsForm, CredentialsFormErrors } from "./credentials-form.ts";

/** Fields for the credentials with which the agent is called: those that the chosen kind needs. */
export function CredentialsFields({
  form,
  errors,
  onChange,
}: {
  readonly form: CredentialsForm;
  readonly errors: CredentialsFormErrors;
  readonly onChange: (form: CredentialsForm) => void;
}) {
  const t = useMessages("agents");
  const { kind, secret, keyLocation, name } = form;
  const kinds = [
    ["none", t("noCredentials")],
    ["bearer", t("bearer")],
    ["api_key", t("apiKey")],
  ] as const;
  const keyLocations = [
    ["card", t("locationFromCard")],
    ["header", t("locationHeader")],
    ["query", t("locationQuery")],
  ] as const;
  return (
    <>
      <Select
        label={t("credentials")}
        value={kind}
        options={kinds}
        onChange={(value) => onChange({ ...form, kind: kinds.find(([one]) => one === value)?.[0] ?? kind })}
      />
      {kind === "none" ? null : (
        <Field
          label={t(kind === "bearer" ? "bearer" : "apiKey")}
          hint={t("secretHint")}
          error={errors.secret === undefined ? undefined : t(errors.secret)}
          type="password"
          // Stops password managers from filling in or storing this secret.
          autoComplete="new-password"
          spellCheck={false}
          value={secret}
          onChange={(event) => onChange({ ...form, secret: event.target.value })}
        />
      )}
      {kind === "api_key" ? (
        <Select
          label={t("keyLocation")}
          value={keyLocation}
          options={keyLocations}
          onChange={(value) =>
            onChange({ ...form, keyLocation: keyLocations.find(([one]) => one === value)?.[0] ?? keyLocation })
          }
        />
      ) : null}
      {kind === "api_key" && keyLocation !== "card" ? (
        <Field
          label={t("keyName")}
          error={errors.name === undefined ? undefined : t(errors.name)}
          placeholder="x-api-key"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(event) => onChange({ ...form, name: event.target.value })}
        />
      ) : null}
    </>
  );
}
