// A third-party A2A agent in plain Node and JSON-RPC, without the SDK and without code of this project. It streams the
// text that a test scripts, in A2A 1.0 or 0.3.

import { createServer, type ServerResponse } from "node:http";
import { listen } from "./net.ts";

export type A2AVersion = "1.0" | "0.3";

export type ReceivedMessage = {
  readonly messageId: string;
  readonly query: string;
  /** The task that the message continues; empty for a new task. */
  readonly taskId: string;
  readonly at: number;
};

export type A2AAgent = {
  /** The URL under which to register it. */
  readonly url: string;
  readonly name: string;
  /** All messages received, in order. */
  readonly messages: readonly ReceivedMessage[];
  /** Other JSON-RPC calls, in order: the method and the task id. */
  readonly otherRequests: readonly string[];
  /** The number of streams that the client closed before their end. */
  readonly abandonedStreams: number;
  close(): Promise<void>;
};

/**
 * The output of the agent. A question ends the stream until its answer arrives; a part, in the form of the protocol
 * version, is sent as its own artifact. `answer` is null for a new task.
 */
export type AgentScript = (
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

/** The messages of each protocol version. */
const MESSAGES = {
  "1.0": {
    method: "SendStreamingMessage",
    card: (url: string) => ({ supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }] }),
    started: (id: string) => ({ task: { id, contextId: "c", status: { state: "TASK_STATE_WORKING" } } }),
    text: (id: string, text: string, append: boolean) => ({
      artifactUpdate: { taskId: id, contextId: "c", artifact: { artifactId: "a", parts: [{ text }] }, append },
    }),
    attachment: (id: string, artifactId: string, part: object) => ({
      artifactUpdate: { taskId: id, contextId: "c", artifact: { artifactId, parts: [part] } },
    }),
    question: (id: string, text: string) => ({
      statusUpdate: {
        taskId: id,
        contextId: "c",
        status: {
          state: "TASK_STATE_INPUT_REQUIRED",
          message: { messageId: `${id}-asks`, role: "ROLE_AGENT", parts: [{ text }] },
        },
      },
    }),
    completed: (id: string) => ({
      statusUpdate: { taskId: id, contextId: "c", status: { state: "TASK_STATE_COMPLETED" } },
    }),
  },
  "0.3": {
    method: "message/stream",
    card: (url: string) => ({ url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" }),
    started: (id: string) => ({ kind: "task", id, contextId: "c", status: { state: "working" } }),
    text: (id: string, text: string, append: boolean) => ({
      kind: "artifact-update",
      taskId: id,
      contextId: "c",
      artifact: { artifactId: "a", parts: [{ kind: "text", text }] },
      append,
    }),
    attachment: (id: string, artifactId: string, part: object) => ({
      kind: "artifact-update",
      taskId: id,
      contextId: "c",
      artifact: { artifactId, parts: [part] },
    }),
    question: (id: string, text: string) => ({
      kind: "status-update",
      taskId: id,
      contextId: "c",
      status: {
        state: "input-required",
        message: { kind: "message", messageId: `${id}-asks`, role: "agent", parts: [{ kind: "text", text }] },
      },
      final: true,
    }),
    completed: (id: string) => ({
      kind: "status-update",
      taskId: id,
      contextId: "c",
      status: { state: "completed" },
      final: true,
    }),
  },
} as const;

export async function startA2AAgent(name: string, version: A2AVersion, script: AgentScript): Promise<A2AAgent> {
  const wording = MESSAGES[version];
  const messages: ReceivedMessage[] = [];
  const otherRequests: string[] = [];
  const queries = new Map<string, string>();
  let abandonedStreams = 0;
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(createCard(name, wording.card(`http://${request.headers.host}/rpc`))));
      return;
    }
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => void answer(JSON.parse(body) as Rpc, response));
  });

  async function answer({ id, method, params }: Rpc, response: ServerResponse): Promise<void> {
    const { message } = params;
    if (method !== wording.method || message === undefined) {
      otherRequests.push(params.id === undefined ? method : `${method} ${params.id}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32001, message: "No such task" } }));
      return;
    }
    const text = message.parts.map((part) => part.text).join("");
    const known = message.taskId ?? "";
    messages.push({ messageId: message.messageId, query: text, taskId: known, at: Date.now() });
    const taskId = known === "" ? `remote-${messages.length}` : known;
    const query = queries.get(taskId) ?? text;
    queries.set(taskId, query);
    const stop = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) abandonedStreams += 1;
      stop.abort();
    });
    const send = (result: object) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    send(wording.started(taskId));
    let isFirst = true;
    let parts = 0;
    for await (const output of script(query, stop.signal, known === "" ? null : text)) {
      if (stop.signal.aborted) return;
      if (typeof output === "object" && "part" in output) {
        send(wording.attachment(taskId, `part-${++parts}`, output.part));
        continue;
      }
      if (typeof output === "object") {
        send(wording.question(taskId, output.ask));
        response.end();
        return;
      }
      send(wording.text(taskId, output, !isFirst));
      isFirst = false;
    }
    send(wording.completed(taskId));
    response.end();
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    name,
    messages,
    otherRequests,
    get abandonedStreams() {
      return abandonedStreams;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createCard(name: string, endpoint: object): object {
  return {
    name,
    description: `Speaks as ${name}.`,
    version: "1.0.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "speak", name: "Speak", description: "Says words.", tags: [] }],
    ...endpoint,
  };
}
