// Tokens of all kinds, good and bad.

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload, type GenerateKeyPairResult } from "jose";

export const SECRET = "a secret that is long enough for HS256, at least";
export const JWKS_URL = "https://issuer.example/jwks.json";

/** Environments that ask for tokens. */
export const BY_SECRET = { AUTH_SECRET: SECRET };
export const STRICT = { AUTH_SECRET: SECRET, AUTH_ISSUER: "https://issuer.example", AUTH_AUDIENCE: "orrery" };
export const BY_JWKS = { AUTH_JWKS_URL: JWKS_URL };

const encoder = new TextEncoder();
const now = () => Math.floor(Date.now() / 1_000);

export function signed(claims: JWTPayload, { secret = SECRET, alg = "HS256" } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(encoder.encode(secret));
}

export function bearer(token: string): { headers: { authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** A call as this user, where AUTH_SECRET is set. */
export async function as(user: string) {
  return { env: BY_SECRET, ...bearer(await signed({ sub: user, exp: now() + 600 })) };
}

/** What must not pass where AUTH_SECRET is set, by name. */
export async function badTokens(): Promise<Record<string, string>> {
  const good = await signed({ sub: "ada", exp: now() + 600 });
  const [header = "", payload = "", signature = ""] = good.split(".");
  const none = `${encoded({ alg: "none" })}.${payload}.`;
  return {
    expired: await signed({ sub: "ada", exp: now() - 120 }),
    "not yet valid": await signed({ sub: "ada", nbf: now() + 120 }),
    "another secret": await signed({ sub: "ada" }, { secret: "another secret, also of decent length" }),
    "another algorithm": await signed({ sub: "ada" }, { alg: "HS512" }),
    "algorithm none": none,
    "algorithm None": `${encoded({ alg: "None" })}.${payload}.${signature}`,
    "a critical extension": `${encoded({ alg: "HS256", crit: ["x"], x: 1 })}.${payload}.${signature}`,
    "a changed payload": `${header}.${encoded({ sub: "eve" })}.${signature}`,
    "no signature": `${header}.${payload}.`,
    "no user": await signed({ name: "ada" }),
    "an empty user": await signed({ sub: "" }),
    "a user that is a number": await signed({ sub: 7 } as unknown as JWTPayload),
    "a user with half a character": await signed({ sub: "ada\ud800" }),
    "a user with a line break": await signed({ sub: "ada\nbob" }),
    "a user without end": await signed({ sub: "a".repeat(2_000) }),
    "a user of long characters": await signed({ sub: "用户".repeat(100) }),
    garbage: "garbage",
    "three dots": "...",
    "a megabyte": "a".repeat(1_048_576),
    "a megabyte of claims": await signed({ sub: "ada", padding: "a".repeat(1_048_576) }),
  };
}

export function encoded(json: object): string {
  return btoa(JSON.stringify(json)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** An issuer with one key for each of the allowed algorithms, and one for another. */
export async function createIssuer() {
  const keys = new Map<string, GenerateKeyPairResult>();
  for (const alg of ["RS256", "ES256", "EdDSA", "PS256"])
    keys.set(alg, await generateKeyPair(alg, { extractable: true }));
  const published = await Promise.all(
    [...keys].map(async ([alg, pair]) => ({ ...(await exportJWK(pair.publicKey)), alg, kid: alg, use: "sig" })),
  );
  const rsa = keys.get("RS256");
  if (rsa === undefined) throw new Error("No key");
  const pem = await exportSPKI(rsa.publicKey);
  return {
    jwks: { keys: published },
    sign: (alg: string, claims: JWTPayload, kid = alg) => {
      const pair = keys.get(alg) ?? rsa;
      return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(pair.privateKey);
    },
    /** Signed with what everybody can read: the public key, as if it were a secret. */
    confused: (kid: string) =>
      new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "HS256", kid }).sign(encoder.encode(pem)),
  };
}
