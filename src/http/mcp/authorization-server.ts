// The OAuth server that issues tokens for the MCP interface to clients, for people who sign in with a token of
// AUTH_SECRET.
//
// An access grant contains the token that the person signed in with, encrypted under a key that only the client's own tokens
// unwrap (`@cloudflare/workers-oauth-provider`). Invariant: a token of a client is valid only while the person's token
// inside it is. So it proves the same identity, and ends with it: when that token expires, and when AUTH_SECRET changes.
// The tokens identify nobody to other interfaces, because only this one unwraps them.
//
// The library is loaded by the first request that needs it.

import type { MiddlewareHandler } from "hono";
import type { OAuthAuthorizationServer, TokenExchangeCallbackResult } from "@cloudflare/workers-oauth-provider";
import type { Env } from "../../env.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import type { HonoEnv } from "../api/http-route.ts";
import {
  authenticateToken,
  createUnauthorizedFault,
  getBearerToken,
  setIdentity,
  type Identity,
} from "../authenticate.ts";
import { getResourceUrl, hasAuthorizationServer, MCP_SCOPE } from "./protected-resource.ts";

export const AUTHORIZE_PATH = "/oauth/authorize";
export const REGISTRATION_PATH = "/oauth/register";
/** Tokens are revoked where they are issued. */
const TOKEN_PATH = "/oauth/token";
/** The paths at which the library answers. */
export const SERVER_PATHS = ["/.well-known/oauth-authorization-server", TOKEN_PATH, REGISTRATION_PATH] as const;

const ACCESS_SECONDS = 3_600;
/** After this time the person signs in again, even if they have used the client in the meantime. */
const ACCESS_GRANT_SECONDS = 30 * 86_400;
/** The shortest lifetime that the store can keep. */
const MIN_SECONDS = 60;
/** A token of a client: the digest of the user, the id of the access grant, and the secret. A JWT has no colons. */
const CLIENT_TOKEN = /^[0-9a-f]{64}:[\w-]{16}:[\w-]{32}$/;

/** The content of an access grant. */
export type AccessGrant = {
  /** The token that the person signed in with. */
  readonly token: string;
};

/** Returns the server of an origin; null if there is none. */
export async function openAuthorizationServer(origin: string, env: Env): Promise<OAuthAuthorizationServer<Env> | null> {
  if (!hasAuthorizationServer(origin, env, getSettings(env))) return null;
  const { OAuthAuthorizationServer: Server } = await import("@cloudflare/workers-oauth-provider");
  return new Server<Env>({
    issuer: origin,
    resources: [getResourceUrl(origin)],
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: TOKEN_PATH,
    clientRegistrationEndpoint: REGISTRATION_PATH,
    scopesSupported: [MCP_SCOPE],
    // These documents need the flag `global_fetch_strictly_public`, which changes the way of every request to this zone.
    clientIdMetadataDocumentEnabled: false,
    onError: ({ status, internal }) => {
      if (status >= 500) console.error("An OAuth request failed", internal);
    },
    tokenExchangeCallback: ({ props, env: callbackEnv }) => limitToPersonsToken(props as AccessGrant, callbackEnv),
  });
}

/**
 * Returns the lifetimes of the tokens of an access grant. Throws `invalid_grant`, which deletes it, if the person's token
 * is not valid any more.
 */
async function limitToPersonsToken({ token }: AccessGrant, env: Env): Promise<TokenExchangeCallbackResult> {
  const identity = await authenticateToken(token, getSettings(env)).catch(() => null);
  const seconds = identity === null ? 0 : countSecondsLeft(identity);
  if (seconds < MIN_SECONDS) {
    const { OAuthError } = await import("@cloudflare/workers-oauth-provider");
    throw new OAuthError("invalid_grant", { description: "The token of the person has expired" });
  }
  return {
    accessTokenTTL: Math.min(ACCESS_SECONDS, seconds),
    refreshTokenTTL: Math.min(ACCESS_GRANT_SECONDS, seconds),
  };
}

function countSecondsLeft({ expiresAt }: Identity): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor((expiresAt - Date.now()) / 1_000);
}

/** Returns the access grant that a person gives with their token, as the library stores it. */
export async function createAccessGrant(token: string, { userId }: Identity) {
  const props: AccessGrant = { token };
  // The id is part of the tokens, which the client can read, and must not contain a colon.
  return { userId: await computeSha256(userId), scope: [MCP_SCOPE], metadata: {}, props };
}

/** Middleware that identifies the user of a request by a client's token. Other requests are left as they are. */
export const acceptClientTokens: MiddlewareHandler<HonoEnv> = async ({ env, req }, next) => {
  const token = getBearerToken(req.raw) ?? "";
  if (!CLIENT_TOKEN.test(token)) return next();
  const { origin } = new URL(req.url);
  const server = await openAuthorizationServer(origin, env);
  if (server !== null) setIdentity(req.raw, identifyClient(server, token, origin, env));
  return next();
};

/** Returns the identity that a client's token proves. Rejects with `unauthorized`, or `unavailable` without the store. */
async function identifyClient(
  server: OAuthAuthorizationServer<Env>,
  token: string,
  origin: string,
  env: Env,
): Promise<Identity> {
  const grant = await server
    .validateToken<AccessGrant>(getResourceUrl(origin), token, env)
    .catch((cause: unknown): never => {
      throw createFault("unavailable", "auth.keysUnavailable", { cause });
    });
  if (grant === null) throw createUnauthorizedFault();
  const identity = await authenticateToken(grant.props.token, getSettings(env));
  const expiresAt = grant.expiresAt * 1_000;
  return { ...identity, expiresAt: Math.min(identity.expiresAt ?? expiresAt, expiresAt) };
}
