// Sends requests to a chat-completions endpoint. Failures are the errors of the official client (`openai`).
//
// URL and headers are built once, at the first call: a wrong base URL or key must fail the requests that need them, not
// the creation of the model.

// Redirects are never followed, so the key reaches only the configured address.

import { APIConnectionError, APIError } from "openai/error";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { tryParseJson } from "../lib/parse-json.ts";
import { toObject } from "./model-chunk.ts";

/**
 * Sends one request and resolves with the response, whose status is 2xx and whose body is unread. `role` is the header
 * `x-orrery-role`, encoded (`encodeRoleHeader`). Rejects with an `APIConnectionError` if no response arrived (DNS, TLS,
 * connection, an abort before the headers; its cause is the error of `fetch`), with an `APIError` for an error status
 * (its message is the endpoint's own text, which may only be logged) or a redirect (its message names the new host), and
 * with a `TypeError` if the base URL or the key is invalid.
 */
export type PostRequest = (
  body: ChatCompletionCreateParamsStreaming,
  role: string,
  signal: AbortSignal,
) => Promise<Response>;

/** Read at most 64 KB (UTF-16 units) of an error body. */
const MAX_ERROR_BODY_LENGTH = 64 * 1024;

type EndpointTarget = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Creates a sender for the endpoint at `baseUrl` + `/chat/completions`; a query of `baseUrl` is kept. `send` is
 * `fetch`, or the service binding of the embedded model.
 */
export function createPostRequest({ baseUrl, key }: { baseUrl: string; key: string }, send: typeof fetch): PostRequest {
  // Created with the first call (see above).
  let target: EndpointTarget | undefined;
  return async (body, role, signal) => {
    const { url, headers } = (target ??= { url: buildCompletionsUrl(baseUrl), headers: buildHeaders(key) });
    const init = {
      method: "POST",
      headers: { ...headers, "x-orrery-role": role },
      body: JSON.stringify(body),
      redirect: "manual",
      signal,
    } as const;
    const response = await send(url, init).catch((cause: unknown) => {
      throw new APIConnectionError({ message: "No response arrived.", cause: toError(cause) });
    });
    if (response.ok) return response;
    throw isRedirect(response) ? createRedirectError(response) : await readStatusError(response);
  };
}

function buildCompletionsUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is no way to reach a model.`);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  url.hash = "";
  return url.href;
}

/** Builds the headers. Throws a `TypeError` for a key with characters that a header cannot contain. */
function buildHeaders(key: string): Readonly<Record<string, string>> {
  const headers = new Headers({
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "orrery",
  });
  return Object.fromEntries(headers);
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

/** Creates the error of a redirect and discards its body. */
function createRedirectError({ status, headers, body, url }: Response): APIError {
  body?.cancel().catch(() => undefined);
  const host = URL.parse(headers.get("location") ?? "", url === "" ? undefined : url)?.host ?? "an unknown host";
  return new APIError(status, undefined, `redirect to ${host}`, headers);
}

/** Reads the OpenAI error object of a response; otherwise the message is the beginning of its body. */
async function readStatusError(response: Response): Promise<APIError> {
  const text = await readBodyStart(response).catch(() => "");
  return APIError.generate(response.status, toObject(tryParseJson(text)), text, response.headers);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the beginning of a body and cancels the rest. */
async function readBodyStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const pieces = body as AsyncIterable<Uint8Array> | null;
  let text = "";
  for await (const piece of pieces ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MAX_ERROR_BODY_LENGTH) break;
  }
  return text;
}
