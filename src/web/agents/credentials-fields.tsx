import { useWords } from "../language.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import type { CredentialsForm, CredentialsFormErrors } from "./credentials-form.ts";
import { WORDS } from "./words.ts";

/** Fields for the credentials with which the agent is called. */
export function CredentialsFields({
  form,
  wrong,
  onChange,
}: {
  readonly form: CredentialsForm;
  readonly wrong: CredentialsFormErrors;
  readonly onChange: (form: CredentialsForm) => void;
}) {
  const say = useWords(WORDS);
  const { kind, secret, place, name } = form;
  const kinds = [
    ["none", say("noCredentials")],
    ["bearer", say("bearer")],
    ["api_key", say("apiKey")],
  ] as const;
  const places = [
    ["card", say("placeOfCard")],
    ["header", say("placeHeader")],
    ["query", say("placeQuery")],
  ] as const;
  return (
    <>
      <Select
        label={say("credentials")}
        value={kind}
        options={kinds}
        onChange={(value) => onChange({ ...form, kind: kinds.find(([one]) => one === value)?.[0] ?? kind })}
      />
      {kind === "none" ? null : (
        <Field
          label={say(kind === "bearer" ? "bearer" : "apiKey")}
          hint={say("secretHint")}
          error={wrong.secret === undefined ? undefined : say(wrong.secret)}
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
          label={say("keyPlace")}
          value={place}
          options={places}
          onChange={(value) => onChange({ ...form, place: places.find(([one]) => one === value)?.[0] ?? place })}
        />
      ) : null}
      {kind === "api_key" && place !== "card" ? (
        <Field
          label={say("keyName")}
          error={wrong.name === undefined ? undefined : say(wrong.name)}
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
