// Valid and invalid tokens.

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload, type GenerateKeyPairResult } from "jose";

export const SECRET = "a secret that is long enough for HS256, at least";
export const JWKS_URL = "https://issuer.example/jwks.json";

/** Environments that require tokens. */
export const WITH_SECRET = { AUTH_SECRET: SECRET };
export const WITH_ISSUER = { AUTH_SECRET: SECRET, AUTH_ISSUER: "https://issuer.example", AUTH_AUDIENCE: "orrery" };
export const WITH_JWKS = { AUTH_JWKS_URL: JWKS_URL };

const encoder = new TextEncoder();
const now = () => Math.floor(Date.now() / 1_000);

export function signToken(claims: JWTPayload, { secret = SECRET, alg = "HS256" } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(encoder.encode(secret));
}

export function createBearer(token: string): { headers: { authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Creates the options of a call by this user with AUTH_SECRET. */
export async function authenticateAs(user: string) {
  return { env: WITH_SECRET, ...createBearer(await signToken({ sub: user, exp: now() + 600 })) };
}

/** Creates the tokens that must be rejected with AUTH_SECRET, by name. */
export async function createInvalidTokens(): Promise<Record<string, string>> {
  const validToken = await signToken({ sub: "ada", exp: now() + 600 });
  const [header = "", payload = "", signature = ""] = validToken.split(".");
  const unsigned = `${encodeBase64Url({ alg: "none" })}.${payload}.`;
  return {
    expired: await signToken({ sub: "ada", exp: now() - 120 }),
    "not yet valid": await signToken({ sub: "ada", nbf: now() + 120 }),
    "another secret": await signToken({ sub: "ada" }, { secret: "another secret, also of decent length" }),
    "another algorithm": await signToken({ sub: "ada" }, { alg: "HS512" }),
    "algorithm none": unsigned,
    "algorithm None": `${encodeBase64Url({ alg: "None" })}.${payload}.${signature}`,
    "a critical extension": `${encodeBase64Url({ alg: "HS256", crit: ["x"], x: 1 })}.${payload}.${signature}`,
    "a changed payload": `${header}.${encodeBase64Url({ sub: "eve" })}.${signature}`,
    "no signature": `${header}.${payload}.`,
    "no user": await signToken({ name: "ada" }),
    "an empty user": await signToken({ sub: "" }),
    "a user that is a number": await signToken({ sub: 7 } as unknown as JWTPayload),
    "a user with a lone surrogate": await signToken({ sub: "ada\ud800" }),
    "a user with a line break": await signToken({ sub: "ada\nbob" }),
    "an oversized user": await signToken({ sub: "a".repeat(2_000) }),
    "an oversized user in bytes": await signToken({ sub: "用户".repeat(100) }),
    garbage: "garbage",
    "three dots": "...",
    "a megabyte": "a".repeat(1_048_576),
    "a megabyte of claims": await signToken({ sub: "ada", padding: "a".repeat(1_048_576) }),
  };
}

export function encodeBase64Url(json: object): string {
  return btoa(JSON.stringify(json)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Creates an issuer with one key for each allowed algorithm and one for another. */
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
    /** Signs a token with the public key as if it were a shared secret. */
    signWithPublicKey: (kid: string) =>
      new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "HS256", kid }).sign(encoder.encode(pem)),
  };
}
