// The two bindings of A2A 1.0, as raw requests with the same methods, parameters and results.

import { collectEvents, post, type Result } from "./a2a-setup.ts";

type Headers = Readonly<Record<string, string>>;

/** The reason of `google.rpc.ErrorInfo`; "" for an error without it. */
export type Failed = { readonly reason: string; readonly message: string };
export type Called = { readonly result?: Result; readonly error?: Failed; readonly headers: Headers };

export type Binding = {
  /** Calls a method without a stream. `url` is the endpoint of the card. */
  readonly call: (url: string, method: string, params?: object, headers?: Headers) => Promise<Called>;
  /** Calls a method with a stream. Resolves when it has ended, with its events or its error. */
  readonly stream: (
    url: string,
    method: string,
    params: object,
    headers?: Headers,
  ) => Promise<{ readonly events: Result[]; readonly error?: Failed }>;
};

type ErrorBody = { readonly message: string; readonly data?: Details; readonly details?: Details };
type Details = readonly { readonly reason?: string }[];

function toFailed({ message, data, details }: ErrorBody): Failed {
  return { message, reason: [...(data ?? []), ...(details ?? [])][0]?.reason ?? "" };
}

const rpcBody = (method: string, params?: object) => ({ jsonrpc: "2.0", id: "r-1", method, params });

const jsonRpc: Binding = {
  async call(url, method, params, headers = {}) {
    const response = await post(url, rpcBody(method, params), headers);
    const { result, error } = (await response.json()) as { result?: Result; error?: ErrorBody };
    return {
      ...(error === undefined ? { result } : { error: toFailed(error) }),
      headers: Object.fromEntries(response.headers),
    } as Called;
  },
  async stream(url, method, params, headers = {}) {
    const response = await post(url, rpcBody(method, params), headers);
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true)
      return { events: (await collectEvents(response)).map(({ result }) => result) };
    const { error } = (await response.json()) as { error: ErrorBody };
    return { events: [], error: toFailed(error) };
  },
};

/** The path of each method; parameters in braces are part of it. */
const HTTP_PATHS: Readonly<Record<string, string>> = {
  SendMessage: "POST /message:send",
  SendStreamingMessage: "POST /message:stream",
  GetTask: "GET /tasks/{id}",
  ListTasks: "GET /tasks",
  CancelTask: "POST /tasks/{id}:cancel",
  SubscribeToTask: "POST /tasks/{id}:subscribe",
  CreateTaskPushNotificationConfig: "POST /tasks/{taskId}/pushNotificationConfigs",
  GetTaskPushNotificationConfig: "GET /tasks/{taskId}/pushNotificationConfigs/{id}",
  ListTaskPushNotificationConfigs: "GET /tasks/{taskId}/pushNotificationConfigs",
  DeleteTaskPushNotificationConfig: "DELETE /tasks/{taskId}/pushNotificationConfigs/{id}",
  GetExtendedAgentCard: "GET /extendedAgentCard",
};

/** Sends a method of HTTP+JSON. */
export async function sendHttp(
  url: string,
  method: string,
  params: object = {},
  headers: Headers = {},
): Promise<Response> {
  const rest = new Map(Object.entries(params));
  const [verb = "", template = ""] = (HTTP_PATHS[method] ?? "").split(" ");
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest.get(name)));
    rest.delete(name);
    return value;
  });
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString();
  return fetch(`${url}${path}${verb === "POST" ? "" : `?${query}`}`, {
    method: verb,
    headers: {
      "a2a-version": "1.0",
      ...(verb === "POST" ? { "content-type": "application/a2a+json" } : {}),
      ...headers,
    },
    ...(verb === "POST" ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    signal: AbortSignal.timeout(30_000),
  });
}

const httpJson: Binding = {
  async call(url, method, params, headers) {
    const response = await sendHttp(url, method, params, headers);
    const body = (await response.json()) as { error?: ErrorBody };
    return {
      ...(body.error === undefined ? { result: body } : { error: toFailed(body.error) }),
      headers: Object.fromEntries(response.headers),
    } as unknown as Called;
  },
  async stream(url, method, params, headers) {
    const response = await sendHttp(url, method, params, headers);
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true)
      return { events: (await collectEvents(response)) as unknown as Result[] };
    const { error } = (await response.json()) as { error: ErrorBody };
    return { events: [], error: toFailed(error) };
  },
};

export const BINDINGS: readonly (readonly [name: string, binding: Binding])[] = [
  ["JSON-RPC", jsonRpc],
  ["HTTP+JSON", httpJson],
];
