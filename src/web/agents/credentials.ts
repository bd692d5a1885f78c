// What an agent elsewhere is called with, as a person fills it in and as it is sent.

import { credentialsSchema, type Credentials } from "../../protocol/credentials.ts";
import type { WORDS } from "./words.ts";

export type CredentialsForm = {
  readonly kind: "none" | Credentials["type"];
  readonly secret: string;
  /** Where an API key goes; `card` leaves it to what the agent says of itself. */
  readonly place: "card" | "header" | "query";
  readonly name: string;
};

export const NO_CREDENTIALS: CredentialsForm = { kind: "none", secret: "", place: "card", name: "" };

/** What is wrong with it, by the field. */
export type WrongCredentials = Partial<Record<"secret" | "name", keyof typeof WORDS.en>>;

export function credentialsOf({ kind, secret, place, name }: CredentialsForm): Credentials | undefined {
  switch (kind) {
    case "none":
      return undefined;
    case "bearer":
      // People copy the whole header.
      return { type: "bearer", token: secret.trim().replace(/^bearer\s+/i, "") };
    case "api_key": {
      const at = place === "card" ? {} : { in: place, ...(name.trim() === "" ? {} : { name: name.trim() }) };
      return { type: "api_key", key: secret.trim(), ...at };
    }
  }
}

/** Empty when it can be sent. */
export function wrongInCredentials(form: CredentialsForm): WrongCredentials {
  const issues = credentialsSchema.optional().safeParse(credentialsOf(form)).error?.issues ?? [];
  return {
    ...(issues.some(({ path: [field] }) => field === "token" || field === "key") ? { secret: "badSecret" } : {}),
    ...(issues.some(({ path: [field] }) => field === "name") ? { name: "badKeyName" } : {}),
  };
}
