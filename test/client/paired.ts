// A client and a scripted server for one test, both gone after it.

import { afterEach, expect, vi } from "vitest";
import { WebSocket } from "ws";
import { connect, type Connection, type ConnectOptions } from "../../src/client/connect.ts";
import type { SocketConstructor } from "../../src/client/live-socket.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { EMPTY_VIEW, foldFrame, type ConversationView } from "../../src/protocol/wire/view.ts";
import { scriptedServer, type ScriptedServer } from "./scripted-server.ts";

export const QUICK = { pingEveryMs: 40, silenceMs: 60, ackMs: 80, backoff: { minMs: 2, maxMs: 20 } };
const cleanup: (() => unknown)[] = [];

afterEach(cleanUp);

/** Undoes what was set up until now, the last of it first. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
}

export async function started(options: { requiresTicket?: boolean } = {}): Promise<ScriptedServer> {
  const server = await scriptedServer(options);
  cleanup.push(() => server.stop());
  return server;
}

export function opened(server: ScriptedServer, options: Partial<ConnectOptions>): Connection {
  const client = connect({
    url: server.url,
    conversationId: "conv-1",
    WebSocket: WebSocket as unknown as SocketConstructor,
    timing: QUICK,
    ...options,
  });
  cleanup.push(() => client.close());
  return client;
}

export async function pair(options: Partial<ConnectOptions> = {}, how: { requiresTicket?: boolean } = {}) {
  const server = await started(how);
  const frames: Frame[] = [];
  const states: string[] = [];
  const client = opened(server, {
    onFrame: (frame) => void ("event" in frame && frames.push(frame)),
    onState: ({ status }) => states.push(status),
    ...options,
  });
  return { server, client, frames, states };
}

export async function caughtUp(client: Connection, server: ScriptedServer): Promise<void> {
  await vi.waitFor(() => expect(client.view.seq).toBe(server.log.length), { interval: 2, timeout: 5_000 });
}

export function foldOf(log: readonly Frame[]): ConversationView {
  return log.reduce<ConversationView>(foldFrame, EMPTY_VIEW);
}

export function stateOf({ threads, plans, items }: ConversationView) {
  return { threads, plans, items: [...items.values()] };
}
