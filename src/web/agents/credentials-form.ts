// The form of the credentials for a remote agent, its validation, and the conversion to the API's format.

import { credentialsSchema, type Credentials } from "../../protocol/agents/agent-credentials.ts";
import type { WORDS } from "./words.ts";

export type CredentialsForm = {
  readonly kind: "none" | Credentials["type"];
  readonly secret: string;
  /** Location of the API key; `card` leaves it to the agent card. */
  readonly place: "card" | "header" | "query";
  readonly name: string;
};

export const NO_CREDENTIALS: CredentialsForm = { kind: "none", secret: "", place: "card", name: "" };

/** Message keys by field; a field without an error is absent. */
export type CredentialsFormErrors = Partial<Record<"secret" | "name", keyof typeof WORDS.en>>;

export function toCredentials({ kind, secret, place, name }: CredentialsForm): Credentials | undefined {
  switch (kind) {
    case "none":
      return undefined;
    case "bearer":
      // The token may be pasted with the `Bearer` prefix of the header.
      return { type: "bearer", token: secret.trim().replace(/^bearer\s+/i, "") };
    case "api_key": {
      const keyLocation = place === "card" ? {} : { in: place, ...(name.trim() === "" ? {} : { name: name.trim() }) };
      return { type: "api_key", key: secret.trim(), ...keyLocation };
    }
  }
}

/** Returns an empty object if the credentials can be sent. */
export function validateCredentialsForm(form: CredentialsForm): CredentialsFormErrors {
  const issues = credentialsSchema.optional().safeParse(toCredentials(form)).error?.issues ?? [];
  return {
    ...(issues.some(({ path: [field] }) => field === "token" || field === "key") ? { secret: "badSecret" } : {}),
    ...(issues.some(({ path: [field] }) => field === "name") ? { name: "badKeyName" } : {}),
  };
}
