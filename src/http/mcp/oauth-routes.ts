// The routes by which MCP clients sign people in (OAuth 2.1): the metadata of the resource, the endpoints of the
// authorization server, and its consent page.
//
// The order on the consent page: validate the client and its redirect URI, show the page, verify the person's token,
// consume the handle of the page, store the access grant. Until the redirect URI is validated, nobody is sent to it. The handle
// works once and only in the browser that got the page, so no other site can send the form.

import type { Context, Hono } from "hono";
import type { AuthRequest, OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import { parseAcceptLanguage } from "../../language/accept-language.ts";
import type { Language } from "../../language/detect-language.ts";
import { getSettings } from "../../settings.ts";
import { refuseOtherMethods, type HonoEnv } from "../api/http-route.ts";
import { authenticateToken } from "../authenticate.ts";
import { readTextBody } from "../request-body.ts";
import { AUTHORIZE_PATH, createAccessGrant, openAuthorizationServer, SERVER_PATHS } from "./authorization-server.ts";
import { withBoundedKeys } from "./bounded-keys.ts";
import { renderConsentPage, renderRefusalPage } from "./consent-page.ts";
import { describeProtectedResource, METADATA_PATHS } from "./protected-resource.ts";

/** A token has at most 8,192 characters, and no other field is long. */
const MAX_FORM_BYTES = 16_384;

/** Registers the routes. Without a server that issues tokens, they do not exist. */
export function mountOAuth(app: Hono<HonoEnv>): void {
  for (const path of METADATA_PATHS) {
    app.get(path, (context) => {
      const metadata = describeProtectedResource(new URL(context.req.url).origin, context.env);
      return metadata === null ? context.notFound() : context.json(metadata);
    });
  }
  for (const path of SERVER_PATHS) {
    app.all(path, async (context) => {
      const server = await openServer(context);
      if (server === null) return context.notFound();
      // The library lets pages of every origin read its answers if it sees the origin. ALLOWED_ORIGINS decides instead.
      const request = new Request(context.req.raw);
      request.headers.delete("origin");
      return server.fetch(request, withBoundedKeys(context.env), context.executionCtx as ExecutionContext);
    });
  }
  app.get(AUTHORIZE_PATH, (context) => withHelpers(context, (helpers) => showConsent(context, helpers)));
  app.post(AUTHORIZE_PATH, (context) => withHelpers(context, (helpers) => receiveConsent(context, helpers)));
  refuseOtherMethods(app, AUTHORIZE_PATH, ["GET", "POST"]);
}

type OAuthContext = Context<HonoEnv>;

const openServer = ({ req, env }: OAuthContext) => openAuthorizationServer(new URL(req.url).origin, env);

/** Runs a step of the authorization and converts its errors: those of the client are sent to it as far as it is known. */
async function withHelpers(
  context: OAuthContext,
  run: (helpers: OAuthHelpers) => Promise<Response>,
): Promise<Response> {
  const server = await openServer(context);
  if (server === null) return context.notFound();
  const { AuthorizationError } = await import("@cloudflare/workers-oauth-provider");
  try {
    return await run(server.getOAuthApi(withBoundedKeys(context.env)));
  } catch (thrown) {
    if (!(thrown instanceof AuthorizationError)) throw thrown;
    if (thrown.redirectTo !== undefined) return redirect(thrown.redirectTo);
    const reason = context.req.method === "POST" ? "oauth.expiredPage" : "oauth.invalidRequest";
    return respondWithPage(context, 400, (language, nonce) => renderRefusalPage(reason, language, nonce));
  }
}

/** Shows the consent page for a valid request. */
async function showConsent(context: OAuthContext, helpers: OAuthHelpers, hasWrongToken = false): Promise<Response> {
  const authRequest = await helpers.parseAuthRequest(context.req.raw);
  if (authRequest.codeChallenge === undefined) return refuseWithoutProofKey(authRequest);
  const request = await helpers.describeConsent(authRequest);
  const { handle, headers } = await helpers.beginConsent(authRequest);
  const consent = { request, handle, hasWrongToken };
  const status = hasWrongToken ? 403 : 200;
  return respondWithPage(context, status, (language, nonce) => renderConsentPage(consent, language, nonce), headers);
}

/** Refuses a request without a PKCE challenge. The library requires one only of clients without a secret. */
async function refuseWithoutProofKey(request: AuthRequest): Promise<Response> {
  const { authorizationErrorRedirect } = await import("@cloudflare/workers-oauth-provider");
  return redirect(authorizationErrorRedirect(request, "invalid_request", "code_challenge is required"));
}

/** Handles the sent form: the person denies, or signs in and allows. */
async function receiveConsent(context: OAuthContext, helpers: OAuthHelpers): Promise<Response> {
  const request = context.req.raw;
  const form = new URLSearchParams(await readTextBody(request, MAX_FORM_BYTES));
  const handle = form.get("handle") ?? "";
  if (form.get("decision") !== "allow") {
    const denied = await helpers.denyConsent(request, handle);
    return redirect(denied.redirectTo, denied.headers);
  }
  const token = (form.get("token") ?? "").trim();
  const identity = await authenticateToken(token, getSettings(context.env)).catch(() => null);
  if (identity === null) return showConsent(context, helpers, true);
  const approved = await helpers.approveConsent(request, handle);
  const grant = await createAccessGrant(token, identity);
  const { redirectTo } = await helpers.completeAuthorization({ request: approved.request, ...grant });
  return redirect(redirectTo, approved.headers);
}

/** Sends the browser back to the client, with a GET. */
function redirect(location: string, headers = new Headers()): Response {
  headers.set("location", location);
  headers.set(OPENER_HEADER, KEEP_OPENER);
  return new Response(null, { status: 303, headers });
}

/** A client may open the page in a window and wait there for its own address. The default policy would separate them. */
const OPENER_HEADER = "cross-origin-opener-policy";
const KEEP_OPENER = "unsafe-none";

/**
 * Returns a page that allows its own style sheet only. `form-action` is missing on purpose: browsers apply it to every
 * redirect after the form, and clients redirect to their own programs.
 */
function respondWithPage(
  context: OAuthContext,
  status: number,
  render: (language: Language, nonce: string) => string,
  headers = new Headers(),
): Response {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`;
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", policy);
  headers.set("vary", "accept-language");
  headers.set(OPENER_HEADER, KEEP_OPENER);
  const language = parseAcceptLanguage(context.req.raw.headers.get("accept-language"));
  return new Response(render(language, nonce), { status, headers });
}
