// A chat-completions endpoint that sends exactly the bytes of a test.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ModelCompletion, Model, ModelDelta, ModelRequest } from "../../src/core/ports.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { createPostRequest } from "../../src/models/endpoint-client.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

export const KEY = "sk-secret-canary";

export type EndpointScript = (response: ServerResponse, request: IncomingMessage, body: string) => void;
export type ScriptedEndpoint = {
  readonly url: string;
  readonly requests: { headers: IncomingMessage["headers"]; body: string }[];
};

/** Serves one script per request, and the last one for all further requests. Closes at the end of the test. */
export async function serveScripts(...scripts: [EndpointScript, ...EndpointScript[]]): Promise<ScriptedEndpoint> {
  const { close, ...endpoint } = await startEndpoint(...scripts);
  onTestFinished(close);
  return endpoint;
}

async function startEndpoint(
  ...scripts: [EndpointScript, ...EndpointScript[]]
): Promise<ScriptedEndpoint & { readonly close: () => void }> {
  const requests: ScriptedEndpoint["requests"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => {
      const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? scripts[0];
      requests.push({ headers: request.headers, body });
      script(response, request, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, close };
}

export function createStreamScript(...frames: string[]): EndpointScript {
  return (response) => {
    openStream(response);
    for (const frame of frames) response.write(frame);
    response.end();
  };
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

export function createErrorScript(
  code: number,
  headers: Record<string, string> = {},
  error: object = { message: "no" },
): EndpointScript {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error }));
  };
}

export const DONE = "data: [DONE]\n\n";

export function toSseFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function deltaFrame(fields: object, finish: string | null = null): string {
  return toSseFrame({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
}

export function textFrame(text: string): string {
  return deltaFrame({ content: text });
}

export function finishFrame(reason = "stop"): string {
  return deltaFrame({}, reason);
}

export function usageFrame(input: number, output: number): string {
  return toSseFrame({
    choices: [],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  });
}

type TestModelOptions = {
  readonly url?: string;
  readonly fetch?: typeof fetch;
  readonly silenceSeconds?: number;
  readonly maxAnswerBytes?: number;
};

export function createTestModel({
  url = "http://model.invalid/v1",
  fetch: send = fetch,
  silenceSeconds = 5,
  maxAnswerBytes = 2 * 1_048_576,
}: TestModelOptions): Model {
  return createChatModel({
    postRequest: createPostRequest({ baseUrl: url, key: KEY }, send),
    getModelName: () => "test-model",
    getTemperature: () => undefined,
    silenceSeconds,
    maxAnswerBytes,
    redact: (text) => text.replaceAll(KEY, "[key]"),
  });
}

export type StreamedCompletion = { readonly completion: ModelCompletion; readonly deltas: readonly ModelDelta[] };

export async function completeOnce(model: Model, request: Partial<ModelRequest> = {}): Promise<StreamedCompletion> {
  const deltas: ModelDelta[] = [];
  const completion = await model.complete(
    { role: "triage", messages: [{ role: "user", content: "hi" }], signal: new AbortController().signal, ...request },
    (delta) => deltas.push(delta),
  );
  return { completion, deltas };
}

/** Makes one call of a model whose endpoint streams these frames. */
export async function completeStream(...frames: string[]): Promise<StreamedCompletion> {
  const { url } = await serveScripts(createStreamScript(...frames));
  return completeOnce(createTestModel({ url }));
}

/** A script that streams the answer "ok". */
export const okScript: EndpointScript = createStreamScript(textFrame("ok"), finishFrame(), DONE);

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns a fetch without network. Each response has the given chunks as its reads. */
export function createChunkFetch(getChunks: () => readonly Uint8Array[], type = "text/event-stream"): typeof fetch {
  return () => {
    const remaining = [...getChunks()];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = remaining.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": type } }));
  };
}

/**
 * Makes one call that must fail. Returns its failure, the number of requests and the text before the failure. May run
 * concurrently with other tests.
 */
export async function callForFault(...scripts: [EndpointScript, ...EndpointScript[]]) {
  const endpoint = await startEndpoint(...scripts);
  const texts: string[] = [];
  const signal = new AbortController().signal;
  const thrown: unknown = await createTestModel({ url: endpoint.url, silenceSeconds: 0.3 })
    .complete({ role: "planner", messages: [], signal }, ({ text }) => texts.push(text))
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
    .finally(endpoint.close);
  if (!(thrown instanceof Failure)) throw new Error("The call did not fail as it should.", { cause: thrown });
  return {
    code: thrown.code,
    retryable: thrown.retryable,
    attempts: endpoint.requests.length,
    streamed: texts.join(""),
    fault: thrown,
  };
}
