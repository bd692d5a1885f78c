// People who speak AG-UI, with two versions of its own client: what they hear is verified and folded by it.

import { HttpAgent as Client1 } from "@ag-ui/client";
import { HttpAgent as Client0 } from "@ag-ui/client-0";
import { randomUUID } from "node:crypto";
import { vi } from "vitest";

export type Told = { readonly type: string; readonly [key: string]: unknown };
export type Said = {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly toolCallId?: string;
};
export type Waiting = {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly responseSchema?: unknown;
  readonly metadata?: unknown;
};
export type Reply = { interruptId: string; status: "resolved" | "cancelled"; payload?: unknown };

export const VERSIONS = ["1.0.0", "0.0.59"] as const;
export type Version = (typeof VERSIONS)[number];

export type AgUiClient = {
  readonly threadId: string;
  readonly messages: readonly Said[];
  readonly state: Record<string, unknown>;
  readonly pending: readonly Waiting[];
  /** Adds words and runs; without words, runs with what there is. Resolves with the events of the run. */
  run(words: string | null, options?: RunOptions): Promise<Told[]>;
  /** As it stands, with nothing but its thread: as after a page was loaded anew. */
  anew(): AgUiClient;
};
export type RunOptions = {
  readonly runId?: string;
  readonly resume?: readonly Reply[];
  readonly context?: readonly { description: string; value: string }[];
  readonly tools?: readonly { name: string; description: string; parameters: unknown }[];
  readonly forwardedProps?: unknown;
  /** Goes away after so many events. */
  readonly leaveAfter?: number;
};

export type Place = {
  readonly state?: object;
  readonly threadId?: string;
  readonly messages?: readonly Said[];
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** A client of that version. Whatever its verifier or its schemas object to, or warn of, rejects the run. */
export function clientOf(version: Version, url: string, place: Place = {}): AgUiClient {
  const { state = {}, threadId = randomUUID(), messages = [], fetch: fetchBy = fetchToItsEnd } = place;
  const Client = (version === "1.0.0" ? Client1 : Client0) as unknown as typeof Client1;
  const agent = new Client({ url, threadId, initialState: state, initialMessages: messages as never, fetch: fetchBy });
  return {
    threadId,
    get messages() {
      return agent.messages as unknown as Said[];
    },
    get state() {
      return agent.state as Record<string, unknown>;
    },
    get pending() {
      return agent.pendingInterrupts as unknown as Waiting[];
    },
    async run(words, { leaveAfter, ...options } = {}) {
      if (words !== null) agent.messages.push({ id: randomUUID(), role: "user", content: words });
      const events: Told[] = [];
      const complaints: unknown[] = [];
      const warn = vi.spyOn(console, "warn").mockImplementation((...said) => complaints.push(said.join(" ")));
      const fail = vi.spyOn(console, "error").mockImplementation(() => undefined);
      const onEvent = ({ event }: { event: unknown }) => {
        events.push(event as Told);
        if (events.length === leaveAfter) agent.abortRun();
      };
      try {
        await agent.runAgent(options as Parameters<typeof agent.runAgent>[0], { onEvent: onEvent as never });
      } finally {
        warn.mockRestore();
        fail.mockRestore();
      }
      if (complaints.length > 0) throw new Error(`The client complains: ${complaints.join("; ")}`);
      return events;
    },
    anew: () => clientOf(version, url, { threadId }),
  };
}

export const typesOf = (events: readonly Told[]): string[] => events.map(({ type }) => type);

export function stepsIn(events: readonly Told[]): string[] {
  const steps = events.filter(({ type }) => type.startsWith("STEP_"));
  return steps.map(({ type, stepName }) => `${type === "STEP_STARTED" ? "+" : "-"}${String(stepName)}`);
}

/** What the messages say: role and words, calls as `name(arguments)`. */
export function wordsOf(messages: readonly Said[]): string[] {
  return messages.map(({ role, content, toolCalls }) => {
    const calls = toolCalls?.map(({ function: call }) => `${call.name}(${call.arguments})`) ?? [];
    return `${role}: ${[typeof content === "string" ? content : JSON.stringify(content), ...calls].filter(Boolean).join(" ")}`;
  });
}

/** A connection that breaks ends the answer: the client itself leaves rejections of such ones to nobody. */
export async function fetchToItsEnd(url: string, init: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(url, init);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  const ended = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await reader?.read().catch(() => undefined);
      if (piece?.value === undefined) controller.close();
      else controller.enqueue(piece.value);
    },
    cancel: async () => reader?.cancel().catch(() => undefined),
  });
  return new Response(ended, { status, headers });
}
