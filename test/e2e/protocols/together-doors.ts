// The same conversation through every door, each as its own official client goes through it.

import { Role, TaskState, type Artifact, type StreamResponse } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import OpenAI, { APIError } from "openai";
import { eventsOf, framesOf, textOf } from "../../support/person.ts";
import { clientOf, fetchToItsEnd } from "./agui-client.ts";

/** What came of a message: the words of the answer, and how it ended. */
export type Heard = { readonly text: string; readonly end: "completed" | "asked" | "cancelled" | "failed" };

export type Saying = {
  /** A conversation that there is; without it, one is begun. */
  readonly conversation?: string;
  /** The same again is the same message. */
  readonly id?: string;
  /** Goes away when it is aborted. */
  readonly left?: AbortSignal;
};

/** Says something and hears it to its end. Rejects when the line breaks. */
export type Door = (words: string, saying?: Saying) => Promise<Heard>;

/** Every door of the runtime at that address, for the only user there is. */
export const doorsOf = (url: string): Readonly<Record<string, Door>> => ({
  "Orrery's own": own(url),
  A2A: a2a(url),
  "AG-UI": agui(url),
  MCP: mcp(url),
  OpenAI: openai(url),
});

function own(url: string): Door {
  return async (words, { conversation, id, left } = {}) => {
    const path = conversation === undefined ? "/api/v1/messages" : `/api/v1/conversations/${conversation}/messages`;
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ message: words, ...(id === undefined ? {} : { id }) }),
      ...(left === undefined ? {} : { signal: left }),
    });
    const frames = framesOf(await response.text());
    const [done] = eventsOf(frames, "done");
    const end = done === undefined ? "asked" : done.metadata?.["cancelled"] === true ? "cancelled" : "completed";
    return { text: textOf(frames), end };
  };
}

function openai(url: string): Door {
  return async (words, { conversation, id, left } = {}) => {
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
    const headers = {
      ...(conversation === undefined ? {} : { "x-orrery-conversation": conversation }),
      ...(id === undefined ? {} : { "idempotency-key": id }),
    };
    const stream = await client.chat.completions.create(
      { model: "orrery", stream: true, messages: [{ role: "user", content: words }] },
      { headers, ...(left === undefined ? {} : { signal: left }) },
    );
    let text = "";
    let end: Heard["end"] = "failed";
    try {
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? "";
        if (choices[0]?.finish_reason === "stop") end = "completed";
      }
    } catch (thrown) {
      if (!(thrown instanceof APIError) || thrown.code !== "cancelled") throw thrown;
      end = "cancelled";
    }
    if (end === "failed") throw new Error("The stream has no end.");
    return { text, end };
  };
}

function agui(url: string): Door {
  return async (words, { conversation, id, left } = {}) => {
    const agent = clientOf("1.0.0", `${url}/agui`, {
      ...(conversation === undefined ? {} : { threadId: conversation }),
      fetch: (address, init) => fetchToItsEnd(address, { ...init, ...(left === undefined ? {} : { signal: left }) }),
    });
    const events = await agent.run(words, id === undefined ? {} : { runId: id });
    const last = events.at(-1);
    const { type = "failed" } = (last?.["outcome"] ?? {}) as { type?: string };
    const told = events.filter((event) => event.type === "TEXT_MESSAGE_CONTENT");
    const text = told.map(({ delta }) => String(delta)).join("");
    if (last?.type !== "RUN_FINISHED") throw new Error(`The run ended with ${last?.type ?? "nothing"}.`);
    return { text, end: type === "success" ? "completed" : type === "interrupt" ? "asked" : (type as Heard["end"]) };
  };
}

const ENDS: Partial<Record<TaskState, Heard["end"]>> = {
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "asked",
  [TaskState.TASK_STATE_CANCELED]: "cancelled",
};

function a2a(url: string): Door {
  return async (words, { conversation = "", id = crypto.randomUUID(), left } = {}) => {
    const client = await new ClientFactory().createFromUrl(url);
    const part = {
      content: { $case: "text" as const, value: words },
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
    const stream = client.sendMessageStream(request, left === undefined ? {} : { signal: left });
    const texts = new Map<string, string>();
    let state = TaskState.TASK_STATE_UNSPECIFIED;
    for await (const event of stream) state = folded(event, texts) ?? state;
    const end = ENDS[state];
    if (end === undefined) throw new Error(`The task was left in ${TaskState[state]}.`);
    return { text: [...texts.values()].join("\n\n"), end };
  };
}

/** Takes in an event of a task. Returns the state that it says. */
function folded({ payload }: StreamResponse, texts: Map<string, string>): TaskState | undefined {
  switch (payload?.$case) {
    case "task":
      for (const one of payload.value.artifacts) texts.set(one.artifactId, wordsIn(one));
      return payload.value.status?.state;
    case "artifactUpdate": {
      const { artifact, append } = payload.value;
      if (artifact === undefined) return undefined;
      const before = append ? (texts.get(artifact.artifactId) ?? "") : "";
      texts.set(artifact.artifactId, before + wordsIn(artifact));
      return undefined;
    }
    case "statusUpdate":
      return payload.value.status?.state;
    default:
      return undefined;
  }
}

const wordsIn = ({ parts }: Artifact): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");

function mcp(url: string): Door {
  return async (words, { conversation, id, left } = {}) => {
    const client = new Client({ name: "together", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    try {
      const called = await client.callTool(
        {
          name: "ask",
          arguments: { message: words, ...(conversation === undefined ? {} : { conversation_id: conversation }) },
          ...(id === undefined ? {} : { _meta: { "orrery/idempotency-key": id } }),
        },
        left === undefined ? {} : { signal: left },
      );
      const { status, answer = "" } = (called.structuredContent ?? {}) as { status?: string; answer?: string };
      if (status === undefined) throw new Error(JSON.stringify(called.content));
      return { text: answer, end: status === "input_required" ? "asked" : (status as Heard["end"]) };
    } finally {
      await client.close();
    }
  };
}
