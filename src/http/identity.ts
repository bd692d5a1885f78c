// Who is asking. With neither AUTH_SECRET nor AUTH_JWKS_URL, and only then, everybody is the user `local`.

import { createRemoteJWKSet, jwtVerify, type JWTVerifyOptions } from "jose";
import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

export const LOCAL_USER = "local";
const MAX_TOKEN_CHARS = 8_192;
const MAX_USER_CHARS = 200;
const CLOCK_SKEW_SECONDS = 30;

export type AuthMode = "local" | "secret" | "jwks";

export function authMode({ AUTH_SECRET, AUTH_JWKS_URL }: Settings): AuthMode {
  if (AUTH_SECRET !== undefined) return "secret";
  return AUTH_JWKS_URL === undefined ? "local" : "jwks";
}

/** The user behind a request's bearer token. Throws a `Fault` for a missing or bad one; never says which. */
export async function userOf(request: Request, settings: Settings): Promise<string> {
  if (authMode(settings) === "local") return LOCAL_USER;
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (token === undefined || token.length > MAX_TOKEN_CHARS) throw unauthorized();
  const subject = await subjectOf(token, settings).catch(() => undefined);
  if (subject === undefined || subject === "" || subject.length > MAX_USER_CHARS) throw unauthorized();
  return subject;
}

/** Algorithms are pinned: a token cannot choose how it is checked. A token without `exp` does not expire. */
async function subjectOf(token: string, settings: Settings): Promise<string | undefined> {
  const { AUTH_SECRET: secret, AUTH_JWKS_URL: url, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = settings;
  const options: JWTVerifyOptions = {
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ["sub"],
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
  if (secret !== undefined) {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), { ...options, algorithms: ["HS256"] });
    return payload.sub;
  }
  if (url === undefined) return undefined;
  const { payload } = await jwtVerify(token, keysOf(url), { ...options, algorithms: ["RS256", "ES256", "EdDSA"] });
  return payload.sub;
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

function keysOf(url: string): ReturnType<typeof createRemoteJWKSet> {
  let keys = keySets.get(url);
  if (keys === undefined) keySets.set(url, (keys = createRemoteJWKSet(new URL(url))));
  return keys;
}

function unauthorized(): Fault {
  return new Fault("unauthorized", "Send a valid bearer token in the header Authorization.");
}

/**
 * Refuses sockets that a foreign page opens in somebody's browser. Programs send no Origin; a page
 * does, and it must be ours or one that was allowed.
 */
export function checkOrigin(request: Request, settings: Settings): void {
  const origin = request.headers.get("origin");
  if (origin === null || settings.ALLOWED_ORIGINS.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === new URL(request.url).host) return;
  throw new Fault("forbidden", "Pages of this origin may not open sockets here. Add it to ALLOWED_ORIGINS.");
}
