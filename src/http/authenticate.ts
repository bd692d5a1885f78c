// Authentication of HTTP requests by bearer tokens (JWT, RFC 7519).
//
// Without AUTH_SECRET and AUTH_JWKS_URL, every request belongs to the user `local`, and only local hosts are accepted.
// Module state: the result of each request while the request exists, and one key set per JWKS URL for the lifetime of
// the isolate. Key sets are public and shared by all requests. A request is verified once, however often `authenticate`
// is called; what `setIdentity` or `rejectRequest` sets applies to all later calls.

import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";
import type { Health } from "../protocol/wire/http-responses.ts";
import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { Fault } from "../protocol/wire/fault.ts";
import { isUserId } from "./api/id-validation.ts";
import type { Settings } from "../settings.ts";

/** The user of all requests if authentication is off. */
export const LOCAL_USER = "local";
const MAX_TOKEN_CHARS = 8_192;
const CLOCK_SKEW_SECONDS = 30;

/**
 * Returns how tokens are verified: by the shared secret if there is one, else by the JWKS, else not at all (`local`).
 */
export function getAuthMode({ AUTH_SECRET, AUTH_JWKS_URL }: Settings): Health["auth"] {
  if (AUTH_SECRET !== undefined) return "secret";
  return AUTH_JWKS_URL === undefined ? "local" : "jwks";
}

/** The authenticated user, and the expiry of the authentication in epoch milliseconds; null if it does not expire. */
export type Identity = { readonly userId: string; readonly expiresAt: number | null };

/** The identity of each request, or the reason for its rejection. */
const identities = new WeakMap<Request, Promise<Identity>>();

/**
 * Returns the identity of a request. Rejects with `unauthorized` for a missing or invalid token, without telling which;
 * `unavailable` if the keys cannot be fetched, so that clients keep their tokens; `forbidden` for a foreign host
 * without authentication; or the fault that `rejectRequest` has set.
 */
export function authenticate(request: Request, settings: Settings): Promise<Identity> {
  let identity = identities.get(request);
  if (identity === undefined) identities.set(request, (identity = resolveIdentity(request, settings)));
  return identity;
}

/** Makes all later calls of `authenticate` for this request return this identity, or its rejection. */
export function setIdentity(request: Request, identity: Promise<Identity>): void {
  // Mark a rejection as handled: a public route never awaits it.
  identity.catch(() => undefined);
  identities.set(request, identity);
}

/**
 * Makes all later calls of `authenticate` for this request reject with the fault. Public routes do not authenticate, so
 * they are not affected.
 */
export function rejectRequest(request: Request, fault: Fault): void {
  setIdentity(request, Promise.reject<Identity>(fault));
}

/** Returns the bearer token of a request; undefined if it has none. */
export function getBearerToken({ headers }: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

async function resolveIdentity(request: Request, settings: Settings): Promise<Identity> {
  if (getAuthMode(settings) === "local") {
    checkHost(new URL(request.url), settings);
    return { userId: LOCAL_USER, expiresAt: null };
  }
  return authenticateToken(getBearerToken(request) ?? "", settings);
}

/**
 * Returns the identity that a token proves. Rejects like `authenticate`. Tokens of more than `MAX_TOKEN_CHARS`
 * characters are invalid.
 */
export async function authenticateToken(token: string, settings: Settings): Promise<Identity> {
  if (token === "" || token.length > MAX_TOKEN_CHARS) throw createUnauthorizedFault();
  const claims = await verifyToken(token, settings).catch(rethrowFault);
  if (!isUserId(claims?.sub)) throw createUnauthorizedFault();
  return { userId: claims.sub, expiresAt: computeExpiry(claims) };
}

/**
 * Throws `forbidden` for foreign hosts. Without tokens, any web site could bind its own host name to this address (DNS
 * rebinding), and its pages would be of the same origin as ours. IP addresses and `localhost` cannot be bound.
 */
function checkHost({ hostname, host }: URL, { ALLOWED_ORIGINS }: Settings): void {
  if (/^(.+\.)?localhost$|^[\d.]+$|^\[/.test(hostname)) return;
  if (ALLOWED_ORIGINS.some((origin) => new URL(origin).host === host)) return;
  throw createFault("forbidden", createMessage("http.hostNotAllowed", { host }));
}

/** Rethrows faults; maps the errors of an invalid token to undefined. */
function rethrowFault(thrown: unknown): undefined {
  if (thrown instanceof Fault) throw thrown;
}

/** Returns the expiry of a token in epoch milliseconds, including the tolerated clock skew; null without `exp`. */
function computeExpiry({ exp }: JWTPayload): number | null {
  return exp === undefined ? null : Math.ceil((exp + CLOCK_SKEW_SECONDS) * 1_000);
}

/**
 * Returns the verified claims of a token. The algorithms are fixed, so a token cannot choose a weaker one. Throws
 * errors of `jose`, or `unavailable` if the keys cannot be fetched.
 */
async function verifyToken(token: string, settings: Settings): Promise<JWTPayload | undefined> {
  const { AUTH_SECRET: secret, AUTH_JWKS_URL: url, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = settings;
  const options: JWTVerifyOptions = {
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ["sub"],
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
  if (secret !== undefined) {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), { ...options, algorithms: ["HS256"] });
    return payload;
  }
  if (url === undefined) return undefined;
  const { payload } = await jwtVerify(token, getKeySet(url), { ...options, algorithms: ["RS256", "ES256", "EdDSA"] });
  return payload;
}

/** Key sets by URL. Each caches its keys and refetches them for an unknown key id. */
const keySets = new Map<string, JWTVerifyGetKey>();

function getKeySet(url: string): JWTVerifyGetKey {
  let keys = keySets.get(url);
  if (keys === undefined) keySets.set(url, (keys = withFetchFault(createRemoteJWKSet(new URL(url)))));
  return keys;
}

/** Converts the failure to fetch a key set to `unavailable`. Errors that the token causes are rethrown. */
function withFetchFault(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      if (cause instanceof errors.JOSENotSupported) throw cause;
      throw createFault("unavailable", "auth.keysUnavailable", { cause });
    }
  };
}

/** Creates the fault of a missing or invalid token. */
export function createUnauthorizedFault(): Fault {
  return createFault("unauthorized", "auth.tokenRequired");
}
