import { useMessages, type UiMessageKey } from "../../../session/language.ts";
import { Field, Select } from "../../../ui/field.tsx";
import { credentialsSchema, type Credentials } from "../../../../protocol/agents/agent-credentials.ts";

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

// The form of the credentials for a remote agent, its validation, and the conversion to the API's format.

/** The texts of the form. `name` is the name of the header or query parameter, for an API key that is not by `card`. */
export type CredentialsForm = {
  readonly kind: "none" | Credentials["type"];
  readonly secret: string;
  /** Location of the API key; `card` leaves it to the agent card. */
  readonly keyLocation: "card" | "header" | "query";
  readonly name: string;
};

export const NO_CREDENTIALS: CredentialsForm = { kind: "none", secret: "", keyLocation: "card", name: "" };

/** Message keys by field; a field without an error is absent. */
export type CredentialsFormErrors = Partial<Record<"secret" | "name", UiMessageKey<"agents">>>;

/** Converts the form to credentials, trimmed but not validated; undefined for the kind `none`. */
export function toCredentials({ kind, secret, keyLocation, name }: CredentialsForm): Credentials | undefined {
  switch (kind) {
    case "none":
      return undefined;
    case "bearer":
      // The token may be pasted with the `Bearer` prefix of the header.
      return { type: "bearer", token: secret.trim().replace(/^bearer\s+/i, "") };
    case "api_key": {
      const keyFields =
        keyLocation === "card" ? {} : { in: keyLocation, ...(name.trim() === "" ? {} : { name: name.trim() }) };
      return { type: "api_key", key: secret.trim(), ...keyFields };
    }
  }
}

/** Returns the message keys of the errors by field; an empty object if the credentials can be sent. */
export function validateCredentialsForm(form: CredentialsForm): CredentialsFormErrors {
  const issues = credentialsSchema.optional().safeParse(toCredentials(form)).error?.issues ?? [];
  return {
    ...(issues.some(({ path: [field] }) => field === "token" || field === "key") ? { secret: "badSecret" } : {}),
    ...(issues.some(({ path: [field] }) => field === "name") ? { name: "badKeyName" } : {}),
  };
}
