// Who is asking. With neither AUTH_SECRET nor AUTH_JWKS_URL, and only then, everybody is the user `local` who asks by a
// name of this machine.

import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";
import type { Health } from "../protocol/answers.ts";
import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

export const LOCAL_USER = "local";
const MAX_TOKEN_CHARS = 8_192;
/** A user's name is part of the name of their conversations' objects, which the platform bounds to 1,024 bytes. */
const MAX_USER_BYTES = 800;
const CLOCK_SKEW_SECONDS = 30;

export function authMode({ AUTH_SECRET, AUTH_JWKS_URL }: Settings): Health["auth"] {
  if (AUTH_SECRET !== undefined) return "secret";
  return AUTH_JWKS_URL === undefined ? "local" : "jwks";
}

/** True for what can name a user: not empty, well-formed, without control characters, not too long. */
export function isUserId(user: unknown): user is string {
  if (typeof user !== "string" || user === "" || !user.isWellFormed() || /\p{Cc}/u.test(user)) return false;
  return encodeURIComponent(user).length <= MAX_USER_BYTES;
}

/** Who somebody is, and until when that is known, in milliseconds since the epoch; null when it does not end. */
export type Identity = { readonly userId: string; readonly expiresAt: number | null };

/** What is known of requests already: who makes them, or why nothing is done for them. */
const decided = new WeakMap<Request, Promise<Identity>>();

/**
 * The user behind a request's bearer token. Throws `unauthorized` for a missing or bad one and never says which;
 * `unavailable` when the keys cannot be had, so that nobody throws a good token away; what the request was refused for.
 */
export function identityOf(request: Request, settings: Settings): Promise<Identity> {
  let identity = decided.get(request);
  if (identity === undefined) decided.set(request, (identity = read(request, settings)));
  return identity;
}

/** Whoever asks who makes this request is told no. */
export function refuse(request: Request, fault: Fault): void {
  const refusal = Promise.reject<Identity>(fault);
  // A door that is open to everybody does not ask.
  refusal.catch(() => undefined);
  decided.set(request, refusal);
}

async function read(request: Request, settings: Settings): Promise<Identity> {
  if (authMode(settings) === "local") {
    checkName(new URL(request.url), settings);
    return { userId: LOCAL_USER, expiresAt: null };
  }
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (token === undefined || token.length > MAX_TOKEN_CHARS) throw unauthorized();
  const claims = await claimsOf(token, settings).catch(refusal);
  if (!isUserId(claims?.sub)) throw unauthorized();
  return { userId: claims.sub, expiresAt: expiryOf(claims) };
}

/**
 * Where nobody is asked for a token, a page of any site could bend its own name to this address and would be taken for
 * ours: by its name alone it is known. Addresses cannot be bent, nor can names that always mean this machine.
 */
function checkName({ hostname, host }: URL, { ALLOWED_ORIGINS }: Settings): void {
  if (/^(.+\.)?localhost$|^[\d.]+$|^\[/.test(hostname)) return;
  if (ALLOWED_ORIGINS.some((origin) => new URL(origin).host === host)) return;
  const words = `Nobody is asked for a token here, so it answers to localhost and to addresses, not to ${host}. Set AUTH_SECRET, or add its origin to ALLOWED_ORIGINS.`;
  throw new Fault("forbidden", words);
}

function refusal(thrown: unknown): undefined {
  if (thrown instanceof Fault) throw thrown;
}

/** A token without `exp` does not expire. */
function expiryOf({ exp }: JWTPayload): number | null {
  return exp === undefined ? null : Math.ceil((exp + CLOCK_SKEW_SECONDS) * 1_000);
}

/** Algorithms are pinned: a token cannot choose how it is checked. */
async function claimsOf(token: string, settings: Settings): Promise<JWTPayload | undefined> {
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
  const { payload } = await jwtVerify(token, keysOf(url), { ...options, algorithms: ["RS256", "ES256", "EdDSA"] });
  return payload;
}

const keySets = new Map<string, JWTVerifyGetKey>();

function keysOf(url: string): JWTVerifyGetKey {
  let keys = keySets.get(url);
  if (keys === undefined) keySets.set(url, (keys = available(createRemoteJWKSet(new URL(url)))));
  return keys;
}

/** A key set that cannot be read is our trouble, not the token's. */
function available(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      if (cause instanceof errors.JOSENotSupported) throw cause;
      throw new Fault("unavailable", "Tokens cannot be checked right now. Please try again.", { cause });
    }
  };
}

function unauthorized(): Fault {
  return new Fault("unauthorized", "Send a valid bearer token in the header Authorization.");
}
