// A client and a scripted server for one test, closed after it.

import { afterEach, expect, vi } from "vitest";
import { WebSocket } from "ws";
import { connect, type Connection, type ConnectOptions } from "../../src/client/connect.ts";
import type { SocketConstructor } from "../../src/client/live-socket.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../src/protocol/wire/view.ts";
import { startScriptedServer, type ScriptedServer } from "./scripted-server.ts";

export const QUICK_TIMING = { pingEveryMs: 40, silenceMs: 60, ackMs: 80, backoff: { minMs: 2, maxMs: 20 } };
const cleanups: (() => unknown)[] = [];

afterEach(cleanUp);

/** Undoes the setup in reverse order. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanups.splice(0).toReversed()) await undo();
}

export async function startTestServer(options: { requiresTicket?: boolean } = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(options);
  cleanups.push(() => server.stop());
  return server;
}

export function openClient(server: ScriptedServer, options: Partial<ConnectOptions>): Connection {
  const client = connect({
    url: server.url,
    conversationId: "conv-1",
    WebSocket: WebSocket as unknown as SocketConstructor,
    timing: QUICK_TIMING,
    ...options,
  });
  cleanups.push(() => client.close());
  return client;
}

export async function startPair(
  options: Partial<ConnectOptions> = {},
  serverOptions: { requiresTicket?: boolean } = {},
) {
  const server = await startTestServer(serverOptions);
  const frames: Frame[] = [];
  const states: string[] = [];
  const client = openClient(server, {
    onFrame: (frame) => void ("event" in frame && frames.push(frame)),
    onState: ({ status }) => states.push(status),
    ...options,
  });
  return { server, client, frames, states };
}

export async function waitUntilCaughtUp(client: Connection, server: ScriptedServer): Promise<void> {
  await vi.waitFor(() => expect(client.view.seq).toBe(server.log.length), { interval: 2, timeout: 5_000 });
}

export function foldLog(log: readonly Frame[]): ConversationView {
  return foldFrames(EMPTY_VIEW, log);
}

export function getViewState({ threads, plans, items }: ConversationView) {
  return { threads, plans, items: [...items.values()] };
}
