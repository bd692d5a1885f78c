// A client function for every interface of the runtime, based on the official client of each protocol.

import { Role, TaskState, type Artifact, type StreamResponse } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import OpenAI, { APIError } from "openai";
import { filterEvents, parseFrames, joinText } from "../../support/api-user.ts";
import { createAgUiClient, fetchIgnoringBreaks } from "./agui-client.ts";

/** The text of an answer and how its thread ended. */
export type InterfaceAnswer = { readonly text: string; readonly end: "completed" | "asked" | "cancelled" | "failed" };

export type SendOptions = {
  /** An existing conversation. Absent: a new one is created. */
  readonly conversation?: string;
  /** The idempotency key of the message. */
  readonly id?: string;
  /** Disconnects the client. */
  readonly signal?: AbortSignal;
};

/** Sends a message and reads the answer to its end. Rejects if the connection breaks. */
export type SendMessage = (prompt: string, sendOptions?: SendOptions) => Promise<InterfaceAnswer>;

/** Creates clients of all interfaces of a runtime without authentication. */
export const createInterfaceClients = (url: string): Readonly<Record<string, SendMessage>> => ({
  "Orrery's own": createOwnClient(url),
  A2A: createA2AClient(url),
  "AG-UI": createAgUiInterfaceClient(url),
  MCP: createMcpClient(url),
  OpenAI: createOpenAIClient(url),
});

function createOwnClient(url: string): SendMessage {
  return async (prompt, { conversation, id, signal } = {}) => {
    const path = conversation === undefined ? "/api/v1/messages" : `/api/v1/conversations/${conversation}/messages`;
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ message: prompt, ...(id === undefined ? {} : { id }) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const frames = parseFrames(await response.text());
    const [done] = filterEvents(frames, "done");
    const end = done === undefined ? "asked" : done.metadata?.["cancelled"] === true ? "cancelled" : "completed";
    return { text: joinText(frames), end };
  };
}

function createOpenAIClient(url: string): SendMessage {
  return async (prompt, { conversation, id, signal } = {}) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
    const headers = {
      ...(conversation === undefined ? {} : { "x-orrery-conversation": conversation }),
      ...(id === undefined ? {} : { "idempotency-key": id }),
    };
    const stream = await client.chat.completions.create(
      { model: "orrery", stream: true, messages: [{ role: "user", content: prompt }] },
      { headers, ...(signal === undefined ? {} : { signal }) },
    );
    let text = "";
    let end: InterfaceAnswer["end"] = "failed";
    try {
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? "";
        if (choices[0]?.finish_reason === "stop") end = "completed";
      }
    } catch (thrown) {
      if (!(thrown instanceof APIError) || thrown.code !== "cancelled") throw thrown;
      end = "cancelled";
    }
    if (end === "failed") throw new Error("The stream ended without a finish reason.");
    return { text, end };
  };
}

function createAgUiInterfaceClient(url: string): SendMessage {
  return async (prompt, { conversation, id, signal } = {}) => {
    const agent = createAgUiClient("1.0.0", `${url}/agui`, {
      ...(conversation === undefined ? {} : { threadId: conversation }),
      fetch: (address, init) => fetchIgnoringBreaks(address, { ...init, ...(signal === undefined ? {} : { signal }) }),
    });
    const events = await agent.run(prompt, id === undefined ? {} : { runId: id });
    const last = events.at(-1);
    const { type = "failed" } = (last?.["outcome"] ?? {}) as { type?: string };
    const contentEvents = events.filter((event) => event.type === "TEXT_MESSAGE_CONTENT");
    const text = contentEvents.map(({ delta }) => String(delta)).join("");
    if (last?.type !== "RUN_FINISHED") throw new Error(`The run ended with ${last?.type ?? "nothing"}.`);
    return {
      text,
      end: type === "success" ? "completed" : type === "interrupt" ? "asked" : (type as InterfaceAnswer["end"]),
    };
  };
}

const END_STATES: Partial<Record<TaskState, InterfaceAnswer["end"]>> = {
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "asked",
  [TaskState.TASK_STATE_CANCELED]: "cancelled",
};

function createA2AClient(url: string): SendMessage {
  return async (prompt, { conversation = "", id = crypto.randomUUID(), signal } = {}) => {
    const client = await new ClientFactory().createFromUrl(url);
    const part = {
      content: { $case: "text" as const, value: prompt },
      metadata: undefined,
      filename: "",
      mediaType: "",
    };
    const message = {
      messageId: id,
      contextId: conversation,
      taskId: "",
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const request = { tenant: "", message, configuration: undefined, metadata: undefined };
    const stream = client.sendMessageStream(request, signal === undefined ? {} : { signal });
    const texts = new Map<string, string>();
    let state = TaskState.TASK_STATE_UNSPECIFIED;
    for await (const event of stream) state = applyStreamEvent(event, texts) ?? state;
    const end = END_STATES[state];
    if (end === undefined) throw new Error(`The task was left in ${TaskState[state]}.`);
    return { text: [...texts.values()].join("\n\n"), end };
  };
}

/** Applies an event to the artifact texts. Returns its task state, or undefined. */
function applyStreamEvent({ payload }: StreamResponse, texts: Map<string, string>): TaskState | undefined {
  switch (payload?.$case) {
    case "task":
      for (const artifact of payload.value.artifacts) texts.set(artifact.artifactId, getArtifactText(artifact));
      return payload.value.status?.state;
    case "artifactUpdate": {
      const { artifact, append } = payload.value;
      if (artifact === undefined) return undefined;
      const before = append ? (texts.get(artifact.artifactId) ?? "") : "";
      texts.set(artifact.artifactId, before + getArtifactText(artifact));
      return undefined;
    }
    case "statusUpdate":
      return payload.value.status?.state;
    default:
      return undefined;
  }
}

const getArtifactText = ({ parts }: Artifact): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");

function createMcpClient(url: string): SendMessage {
  return async (prompt, { conversation, id, signal } = {}) => {
    const client = new Client({ name: "together", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    try {
      const result = await client.callTool(
        {
          name: "ask",
          arguments: { message: prompt, ...(conversation === undefined ? {} : { conversation_id: conversation }) },
          ...(id === undefined ? {} : { _meta: { "orrery/idempotency-key": id } }),
        },
        signal === undefined ? {} : { signal },
      );
      const { status, answer = "" } = (result.structuredContent ?? {}) as { status?: string; answer?: string };
      if (status === undefined) throw new Error(JSON.stringify(result.content));
      return { text: answer, end: status === "input_required" ? "asked" : (status as InterfaceAnswer["end"]) };
    } finally {
      await client.close();
    }
  };
}
