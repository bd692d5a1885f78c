// Sends a request as it is, without the corrections of `fetch`, and checks the form of its response.

import { request as openRequest, type Agent, type IncomingMessage } from "node:http";
import * as z from "zod";
import { openAiErrorSchema } from "../../../src/http/openai/openai-error.ts";
import { problemDetailsSchema } from "../../../src/protocol/wire/fault.ts";
import type { SentRequest } from "./mutate-request.ts";

export type RawResponse = { readonly status: number; readonly type: string; readonly text: string };

/** The time in which a response begins, and in which it ends unless it is a stream. */
export const MAX_RESPONSE_MS = 5_000;
/** A stream may stay open for as long as its reader wants. */
const STREAM_MS = 300;

/** Rejects if the response does not arrive in time, or if the connection breaks. */
export function sendRequest(
  url: string,
  agent: Agent,
  { method, path, headers, body }: SentRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  // Node would send the body of a GET without its length, as the beginning of the next request.
  const length = body === null ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const outgoing = openRequest({
      hostname,
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...length },
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`No response in ${MAX_RESPONSE_MS} ms`)),
      MAX_RESPONSE_MS,
    );
    const finish = (response: IncomingMessage, text: string) => {
      clearTimeout(timer);
      resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", text });
    };
    outgoing.on("error", (thrown) => {
      clearTimeout(timer);
      reject(thrown);
    });
    outgoing.on("upgrade", (response, socket) => {
      socket.destroy();
      finish(response, "");
    });
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => finish(response, text));
      response.on("error", reject);
      if (!(response.headers["content-type"] ?? "").startsWith("text/event-stream")) return;
      setTimeout(() => {
        if (response.complete) return;
        finish(response, text);
        response
          .removeAllListeners("error")
          .on("error", () => undefined)
          .destroy();
      }, STREAM_MS);
    });
    outgoing.end(bytes);
  });
}

const rpcErrorSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.looseObject({ code: z.int(), message: z.string().min(1) }),
});
const rpcStatusSchema = z.object({
  error: z.looseObject({
    code: z.int(),
    status: z.string(),
    message: z.string().min(1),
    details: z.array(z.unknown()),
  }),
});

const oauthErrorSchema = z.looseObject({ error: z.string().min(1), error_description: z.string().min(1).optional() });

/**
 * The forms of an error by the beginning of the path. A2A has two bindings below the same paths; a request that reaches
 * neither (`HTTP_STATUSES`) gets problem details.
 */
const HTTP_STATUSES: readonly number[] = [401, 404, 405];
const ERROR_FORMS: readonly (readonly [RegExp, z.core.$ZodType])[] = [
  [/^\/v1(\/|$)/, openAiErrorSchema],
  [/^\/mcp$/, rpcErrorSchema],
  [/^\/oauth\//, z.union([oauthErrorSchema, problemDetailsSchema])],
  [/agent-card\.json/, problemDetailsSchema],
  [/^\/a2a(\/|$)/, z.union([rpcErrorSchema, rpcStatusSchema])],
];

/** The page on which people sign in, also with its refusals. */
const CONSENT_PAGE = /^\/oauth\/authorize$/;

/** Returns what is wrong with a response; null if it is one that a server may give to any request. */
export function findResponseProblem({ method, path }: SentRequest, { status, type, text }: RawResponse): string | null {
  const isOthersFailure = status === 502 && /"code":"agent_(unreachable|failed)"/.test(text);
  if (status >= 500 && !isOthersFailure) return `${status} ${text.slice(0, 300)}`;
  // The HTTP server refuses an upgrade itself.
  if (/^ERROR: .*WebSocket/.test(text)) return null;
  // A limit would keep the request from the code behind it.
  if (status === 429 || text.includes("TOO_MANY_REQUESTS")) return `limited ${text.slice(0, 300)}`;
  if (/"code":(-32603|"internal")/.test(text)) return `internal ${text.slice(0, 300)}`;
  const pathname = URL.parse(`http://localhost${path}`)?.pathname ?? path;
  // Files are served before the Worker runs, at "/" and under /assets.
  const isFile = /^\/+($|assets\/)/.test(pathname);
  if (text === "") return status < 400 || method === "HEAD" || isFile ? null : `${status} without a body`;
  if (CONSENT_PAGE.test(pathname) && type.startsWith("text/html")) return null;
  const isJson = /[/+]json\b/.test(type);
  if (status < 400) return isJson && parseJson(text) === undefined ? `invalid JSON: ${text.slice(0, 200)}` : null;
  // A path with encoded dots is routed as it is, or as it would be without them.
  const forms = [path.split("?")[0] ?? "", pathname].flatMap((address) => listErrorForms(address, status));
  const isValid = forms.some((schema) => z.safeParse(schema, parseJson(text)).success);
  return isValid ? null : `an error of another form: ${status} ${type} ${text.slice(0, 300)}`;
}

function listErrorForms(address: string, status: number): z.core.$ZodType[] {
  const form = ERROR_FORMS.find(([pattern]) => pattern.test(address))?.[1] ?? problemDetailsSchema;
  return address.startsWith("/a2a") && HTTP_STATUSES.includes(status) ? [form, problemDetailsSchema] : [form];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
