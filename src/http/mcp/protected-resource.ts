// The interface as a protected resource of OAuth (RFC 9728): which server issues tokens for it, and how a refused client
// learns this.

import type { MiddlewareHandler } from "hono";
import type { Env } from "../../env.ts";
import { getSettings, type Settings } from "../../settings.ts";
import type { HonoEnv } from "../api/http-route.ts";
import { getAuthMode, getBearerToken } from "../authenticate.ts";

/** The path of the interface. */
const MCP_PATH = "/mcp";
/** The only scope of our own tokens: the use of the interface. */
export const MCP_SCOPE = "mcp";
const METADATA_PATH = "/.well-known/oauth-protected-resource";
/** The path that RFC 9728 derives from the resource, and the one that clients try next. */
export const METADATA_PATHS = [`${METADATA_PATH}${MCP_PATH}`, METADATA_PATH] as const;

/** The metadata of the resource. Without scopes, the issuer decides. */
type ProtectedResource = {
  readonly resource: string;
  readonly resource_name: "Orrery";
  readonly authorization_servers: readonly [issuer: string];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
};

/** Returns the identifier of the resource at an origin, which is the audience of its tokens. */
export function getResourceUrl(origin: string): string {
  return `${origin}${MCP_PATH}`;
}

/**
 * True if this Worker issues tokens itself: for people who sign in with a token of AUTH_SECRET, with a store, and at an
 * origin that keeps tokens secret on their way.
 */
export function hasAuthorizationServer(origin: string, env: Env, settings: Settings): boolean {
  const isSecure = /^https:|^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|$)/.test(origin);
  return getAuthMode(settings) === "secret" && env.OAUTH_KV !== undefined && isSecure;
}

/** Returns the metadata of the resource at an origin; null if no known server issues tokens for it. */
export function describeProtectedResource(origin: string, env: Env): ProtectedResource | null {
  const settings = getSettings(env);
  const issuer = findIssuer(origin, env, settings);
  if (issuer === undefined) return null;
  return {
    resource: getResourceUrl(origin),
    resource_name: "Orrery",
    authorization_servers: [issuer.url],
    ...(issuer.scopes.length === 0 ? {} : { scopes_supported: issuer.scopes }),
    bearer_methods_supported: ["header"],
  };
}

type Issuer = { readonly url: string; readonly scopes: readonly string[] };

/** Returns the server that issues tokens: this Worker, or the one whose keys are configured. */
function findIssuer(origin: string, env: Env, settings: Settings): Issuer | undefined {
  if (hasAuthorizationServer(origin, env, settings)) return { url: origin, scopes: [MCP_SCOPE] };
  if (getAuthMode(settings) !== "jwks" || settings.AUTH_ISSUER === undefined) return undefined;
  return { url: settings.AUTH_ISSUER, scopes: settings.AUTH_SCOPES };
}

/** Middleware that tells a client whose token is missing or refused where to get one (RFC 6750, RFC 9728). */
export const challengeRefusal: MiddlewareHandler<HonoEnv> = async (context, next) => {
  await next();
  if (context.res.status !== 401) return;
  const { origin } = new URL(context.req.url);
  const metadata = describeProtectedResource(origin, context.env);
  const parameters = {
    error: getBearerToken(context.req.raw) === undefined ? undefined : "invalid_token",
    scope: metadata?.scopes_supported?.join(" "),
    resource_metadata: metadata === null ? undefined : `${origin}${METADATA_PATHS[0]}`,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const challenge = given.map(([name, value]) => `${name}="${value}"`).join(", ");
  context.res.headers.set("www-authenticate", `Bearer ${challenge}`.trim());
};
