// An agent of somebody else's: plain Node, plain JSON-RPC, no SDK and nothing of this project. It streams the words
// that a test gives it, in A2A 1.0 or in 0.3.

import { createServer, type ServerResponse } from "node:http";
import { listen } from "./net.ts";

export type Version = "1.0" | "0.3";

export type Asked = {
  readonly messageId: string;
  readonly query: string;
  /** The task that the message goes on with; empty when it begins one. */
  readonly taskId: string;
  readonly at: number;
};

export type A2AAgent = {
  /** For registering it. */
  readonly url: string;
  readonly name: string;
  /** Every message that it was sent, in order. */
  readonly asked: readonly Asked[];
  /** Methods besides sending, in order. */
  readonly told: readonly string[];
  /** How many streams were left before their end. */
  readonly left: number;
  close(): Promise<void>;
};

/**
 * What it says. What it asks is the end until an answer comes; a part, in the words of its version, is an artifact by
 * itself. `answer` is the answer, if it is one.
 */
export type Speech = (
  query: string,
  stop: AbortSignal,
  answer: string | null,
) => AsyncIterable<string | { readonly ask: string } | { readonly part: object }>;

type Rpc = {
  readonly id: number | string;
  readonly method: string;
  readonly params: {
    readonly id?: string;
    readonly message?: {
      readonly messageId: string;
      readonly taskId?: string;
      readonly parts: readonly { text: string }[];
    };
  };
};

/** How each version words the same things. */
const WORDING = {
  "1.0": {
    method: "SendStreamingMessage",
    card: (url: string) => ({ supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }] }),
    begun: (id: string) => ({ task: { id, contextId: "c", status: { state: "TASK_STATE_WORKING" } } }),
    words: (id: string, text: string, append: boolean) => ({
      artifactUpdate: { taskId: id, contextId: "c", artifact: { artifactId: "a", parts: [{ text }] }, append },
    }),
    attached: (id: string, artifactId: string, part: object) => ({
      artifactUpdate: { taskId: id, contextId: "c", artifact: { artifactId, parts: [part] } },
    }),
    asks: (id: string, text: string) => ({
      statusUpdate: {
        taskId: id,
        contextId: "c",
        status: {
          state: "TASK_STATE_INPUT_REQUIRED",
          message: { messageId: `${id}-asks`, role: "ROLE_AGENT", parts: [{ text }] },
        },
      },
    }),
    ended: (id: string) => ({
      statusUpdate: { taskId: id, contextId: "c", status: { state: "TASK_STATE_COMPLETED" } },
    }),
  },
  "0.3": {
    method: "message/stream",
    card: (url: string) => ({ url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" }),
    begun: (id: string) => ({ kind: "task", id, contextId: "c", status: { state: "working" } }),
    words: (id: string, text: string, append: boolean) => ({
      kind: "artifact-update",
      taskId: id,
      contextId: "c",
      artifact: { artifactId: "a", parts: [{ kind: "text", text }] },
      append,
    }),
    attached: (id: string, artifactId: string, part: object) => ({
      kind: "artifact-update",
      taskId: id,
      contextId: "c",
      artifact: { artifactId, parts: [part] },
    }),
    asks: (id: string, text: string) => ({
      kind: "status-update",
      taskId: id,
      contextId: "c",
      status: {
        state: "input-required",
        message: { kind: "message", messageId: `${id}-asks`, role: "agent", parts: [{ kind: "text", text }] },
      },
      final: true,
    }),
    ended: (id: string) => ({
      kind: "status-update",
      taskId: id,
      contextId: "c",
      status: { state: "completed" },
      final: true,
    }),
  },
} as const;

export async function startA2AAgent(name: string, version: Version, speech: Speech): Promise<A2AAgent> {
  const wording = WORDING[version];
  const asked: Asked[] = [];
  const told: string[] = [];
  const queries = new Map<string, string>();
  let left = 0;
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(cardOf(name, wording.card(`http://${request.headers.host}/rpc`))));
      return;
    }
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => void answer(JSON.parse(body) as Rpc, response));
  });

  async function answer({ id, method, params }: Rpc, response: ServerResponse): Promise<void> {
    const { message } = params;
    if (method !== wording.method || message === undefined) {
      told.push(params.id === undefined ? method : `${method} ${params.id}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32001, message: "No such task" } }));
      return;
    }
    const text = message.parts.map((part) => part.text).join("");
    const known = message.taskId ?? "";
    asked.push({ messageId: message.messageId, query: text, taskId: known, at: Date.now() });
    const taskId = known === "" ? `remote-${asked.length}` : known;
    const query = queries.get(taskId) ?? text;
    queries.set(taskId, query);
    const stop = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) left += 1;
      stop.abort();
    });
    const send = (result: object) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    send(wording.begun(taskId));
    let isFirst = true;
    let parts = 0;
    for await (const word of speech(query, stop.signal, known === "" ? null : text)) {
      if (stop.signal.aborted) return;
      if (typeof word === "object" && "part" in word) {
        send(wording.attached(taskId, `part-${++parts}`, word.part));
        continue;
      }
      if (typeof word === "object") {
        send(wording.asks(taskId, word.ask));
        response.end();
        return;
      }
      send(wording.words(taskId, word, !isFirst));
      isFirst = false;
    }
    send(wording.ended(taskId));
    response.end();
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    name,
    asked,
    told,
    get left() {
      return left;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function cardOf(name: string, place: object): object {
  return {
    name,
    description: `Speaks as ${name}.`,
    version: "1.0.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "speak", name: "Speak", description: "Says words.", tags: [] }],
    ...place,
  };
}
