// The official AG-UI client in two versions. It verifies the events and folds them into messages and state.

import { HttpAgent as Client1 } from "@ag-ui/client";
import { HttpAgent as Client0 } from "@ag-ui/client-0";
import { randomUUID } from "node:crypto";
import { vi } from "vitest";

export type AgUiEvent = { readonly type: string; readonly [key: string]: unknown };
export type AgUiMessage = {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly toolCallId?: string;
};
export type AgUiInterrupt = {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly responseSchema?: unknown;
  readonly metadata?: unknown;
};
export type InterruptReply = { interruptId: string; status: "resolved" | "cancelled"; payload?: unknown };

export const VERSIONS = ["1.0.0", "0.0.59"] as const;
export type Version = (typeof VERSIONS)[number];

export type AgUiClient = {
  readonly threadId: string;
  readonly messages: readonly AgUiMessage[];
  readonly state: Record<string, unknown>;
  readonly pending: readonly AgUiInterrupt[];
  /** Adds a user message, unless `text` is null, and runs the agent. Resolves with the events of the run. */
  run(text: string | null, options?: RunOptions): Promise<AgUiEvent[]>;
  /** Returns a new client that knows only the thread id, as after the reload of a page. */
  reload(): AgUiClient;
};
export type RunOptions = {
  readonly runId?: string;
  readonly resume?: readonly InterruptReply[];
  readonly context?: readonly { description: string; value: string }[];
  readonly tools?: readonly { name: string; description: string; parameters: unknown }[];
  readonly forwardedProps?: unknown;
  /** Aborts the run after this number of events. */
  readonly abortAfter?: number;
};

export type AgUiClientOptions = {
  readonly state?: object;
  readonly threadId?: string;
  readonly messages?: readonly AgUiMessage[];
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** Creates a client. Its run rejects on any error or warning of the verifier and the schemas. */
export function createAgUiClient(version: Version, url: string, clientOptions: AgUiClientOptions = {}): AgUiClient {
  const {
    state = {},
    threadId = randomUUID(),
    messages = [],
    fetch: customFetch = fetchIgnoringBreaks,
  } = clientOptions;
  const Client = (version === "1.0.0" ? Client1 : Client0) as unknown as typeof Client1;
  const agent = new Client({
    url,
    threadId,
    initialState: state,
    initialMessages: messages as never,
    fetch: customFetch,
  });
  return {
    threadId,
    get messages() {
      return agent.messages as unknown as AgUiMessage[];
    },
    get state() {
      return agent.state as Record<string, unknown>;
    },
    get pending() {
      return agent.pendingInterrupts as unknown as AgUiInterrupt[];
    },
    async run(text, { abortAfter, ...options } = {}) {
      if (text !== null) agent.messages.push({ id: randomUUID(), role: "user", content: text });
      const events: AgUiEvent[] = [];
      const warnings: unknown[] = [];
      const warn = vi.spyOn(console, "warn").mockImplementation((...args) => warnings.push(args.join(" ")));
      const fail = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const onEvent = ({ event }: { event: unknown }) => {
        events.push(event as AgUiEvent);
        if (events.length === abortAfter) agent.abortRun();
      };
      try {
        await agent.runAgent(options as Parameters<typeof agent.runAgent>[0], { onEvent: onEvent as never });
      } finally {
        warn.mockRestore();
        fail.mockRestore();
      }
      if (warnings.length > 0) throw new Error(`The client printed warnings: ${warnings.join("; ")}`);
      return events;
    },
    reload: () => createAgUiClient(version, url, { threadId }),
  };
}

export const listTypes = (events: readonly AgUiEvent[]): string[] => events.map(({ type }) => type);

export function listSteps(events: readonly AgUiEvent[]): string[] {
  const steps = events.filter(({ type }) => type.startsWith("STEP_"));
  return steps.map(({ type, stepName }) => `${type === "STEP_STARTED" ? "+" : "-"}${String(stepName)}`);
}

/** Formats messages as `role: content`, with tool calls as `name(arguments)`. */
export function formatMessages(messages: readonly AgUiMessage[]): string[] {
  return messages.map(({ role, content, toolCalls }) => {
    const calls = toolCalls?.map(({ function: call }) => `${call.name}(${call.arguments})`) ?? [];
    return `${role}: ${[typeof content === "string" ? content : JSON.stringify(content), ...calls].filter(Boolean).join(" ")}`;
  });
}

/** Fetches and ends the body normally when the connection breaks, because the client leaves that rejection unhandled. */
export async function fetchIgnoringBreaks(url: string, init: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(url, init);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader?.read().catch(() => undefined);
      if (chunk?.value === undefined) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: async () => reader?.cancel().catch(() => undefined),
  });
  return new Response(stream, { status, headers });
}
