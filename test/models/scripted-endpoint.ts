// A chat-completions endpoint that says, byte for byte, what a test tells it to say.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ModelCompletion, Model, ModelDelta, ModelRequest } from "../../src/core/ports.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { createPostRequest } from "../../src/models/endpoint-client.ts";

export const KEY = "sk-secret-canary";

export type Script = (response: ServerResponse, request: IncomingMessage, body: string) => void;
export type Scripted = {
  readonly url: string;
  readonly requests: { headers: IncomingMessage["headers"]; body: string }[];
};

/** Serves one script per request, the last one for all that follow. Closes with the test. */
export async function serve(...scripts: [Script, ...Script[]]): Promise<Scripted> {
  const requests: Scripted["requests"] = [];
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
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}

export function stream(...frames: string[]): Script {
  return (response) => {
    open(response);
    for (const frame of frames) response.write(frame);
    response.end();
  };
}

export function open(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

export function status(code: number, headers: Record<string, string> = {}, error: object = { message: "no" }): Script {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error }));
  };
}

export const DONE = "data: [DONE]\n\n";

export function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function delta(fields: object, finish: string | null = null): string {
  return frame({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
}

export function say(text: string): string {
  return delta({ content: text });
}

export function finish(reason = "stop"): string {
  return delta({}, reason);
}

export function usage(input: number, output: number): string {
  return frame({
    choices: [],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  });
}

type Options = { readonly url?: string; readonly fetch?: typeof fetch; readonly silenceSeconds?: number };

export function modelAt({ url = "http://model.invalid/v1", fetch: send = fetch, silenceSeconds = 5 }: Options): Model {
  return createChatModel({
    postRequest: createPostRequest({ baseUrl: url, key: KEY }, send),
    getModelName: () => "test-model",
    getTemperature: () => undefined,
    silenceSeconds,
    redact: (text) => text.replaceAll(KEY, "[key]"),
  });
}

export type Heard = { readonly completion: ModelCompletion; readonly deltas: readonly ModelDelta[] };

export async function ask(model: Model, request: Partial<ModelRequest> = {}): Promise<Heard> {
  const deltas: ModelDelta[] = [];
  const completion = await model.complete(
    { role: "triage", messages: [{ role: "user", content: "hi" }], signal: new AbortController().signal, ...request },
    (heard) => deltas.push(heard),
  );
  return { completion, deltas };
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** An endpoint without a network: each answer is the pieces that its reads return. */
export function inPieces(pieces: () => readonly Uint8Array[], type = "text/event-stream"): typeof fetch {
  return () => {
    const left = [...pieces()];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": type } }));
  };
}
