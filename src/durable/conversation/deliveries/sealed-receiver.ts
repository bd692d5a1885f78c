// Seals the secrets of webhooks and push notifications before they are stored, and unseals them for an attempt.
//
// A secret is bound to the user and the URL, so a stored secret cannot be sent elsewhere. Rows of older releases, and of
// deployments without a secret, are plain and stay readable.

import { createPushHeaders, type PushConfig } from "../../../protocol/agents/a2a-push.ts";
import { tryParseJson } from "../../../lib/parse-json.ts";
import { sealText, unsealText } from "../../../lib/sealed-text.ts";

/** The stored webhook of a schedule. `secret`, plain or sealed, signs its deliveries. */
export type WebhookEndpoint = { readonly url: string; readonly secret: string };

/**
 * A stored push notification. `secrets` contains the token and the credentials as JSON, plain or sealed. Older rows
 * contain them in place.
 */
export type StoredPush = Omit<PushConfig, "authentication"> & {
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
  readonly secrets?: string;
};

/** A push notification without its secrets, for answers. */
export type PushView = Pick<PushConfig, "id" | "url" | "version"> & {
  readonly authentication?: { readonly scheme: string };
};

type PushSecrets = { readonly token?: string; readonly credentials?: string };

export async function sealEndpoint(
  { url, secret }: WebhookEndpoint,
  userId: string,
  secrets: readonly string[],
): Promise<WebhookEndpoint> {
  return { url, secret: await sealText(secret, { purpose: "webhook secret", userId, url }, secrets) };
}

/** Returns the secret that signs the deliveries; null if it cannot be unsealed. */
export function unsealEndpoint(
  { url, secret }: WebhookEndpoint,
  userId: string,
  secrets: readonly string[],
): Promise<string | null> {
  return unsealText(secret, { purpose: "webhook secret", userId, url }, secrets);
}

export async function sealPush(push: PushConfig, userId: string, secrets: readonly string[]): Promise<StoredPush> {
  const { url, token, authentication } = push;
  const view = createPushView(push);
  if (token === undefined && authentication === undefined) return view;
  const text = JSON.stringify(getPlainSecrets(push));
  return { ...view, secrets: await sealText(text, { purpose: "push secrets", userId, url }, secrets) };
}

/** Returns the headers of a notification; null if its secrets cannot be unsealed. */
export async function unsealPushHeaders(
  push: StoredPush,
  userId: string,
  secrets: readonly string[],
): Promise<Record<string, string> | null> {
  const { id, url, version, authentication } = push;
  const found =
    push.secrets === undefined ? getPlainSecrets(push) : await unsealPushSecrets(push.secrets, userId, url, secrets);
  if (found === null) return null;
  const { token, credentials = "" } = found;
  return createPushHeaders({
    id,
    url,
    version,
    ...(token === undefined ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication: { scheme: authentication.scheme, credentials } }),
  });
}

function getPlainSecrets({ token, authentication }: StoredPush): PushSecrets {
  return {
    ...(token === undefined ? {} : { token }),
    ...(authentication?.credentials === undefined ? {} : { credentials: authentication.credentials }),
  };
}

async function unsealPushSecrets(
  stored: string,
  userId: string,
  url: string,
  secrets: readonly string[],
): Promise<PushSecrets | null> {
  const text = await unsealText(stored, { purpose: "push secrets", userId, url }, secrets);
  return text === null ? null : ((tryParseJson(text) ?? null) as PushSecrets | null);
}

/** Returns a push notification without its secrets. */
export function createPushView({ id, url, version, authentication }: PushConfig | StoredPush): PushView {
  return {
    id,
    url,
    version,
    ...(authentication === undefined ? {} : { authentication: { scheme: authentication.scheme } }),
  };
}
