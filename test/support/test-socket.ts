// A WebSocket without the logic of the typed client: it sends what it is told and records what it receives.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { ProblemDetails } from "../../src/protocol/wire/fault.ts";

type ErrorFrame = Extract<ServerFrame, { type: "error" }>;

export type TestSocket = {
  readonly socket: WebSocket;
  /** The received messages as text. */
  readonly texts: readonly string[];
  /** The received messages, parsed. */
  readonly frames: readonly ServerFrame[];
  readonly errors: () => readonly ErrorFrame[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Resolves with the first matching frame, past or future. Rejects once the socket is closed. */
  readonly waitFor: (found: (frame: ServerFrame) => boolean) => Promise<ServerFrame>;
  /** Sends a `ping` and resolves with its reply; everything sent before has then been received. */
  readonly waitForPong: () => Promise<void>;
  readonly close: () => void;
};

/** Opens a socket. Rejects with the problem details if the upgrade is refused. */
export async function openTestSocket(
  url: string,
  conversationId: string,
  after: number | string = 0,
): Promise<TestSocket> {
  const address = `${url.replace("http", "ws")}/api/v1/conversations/${conversationId}/ws?after=${after}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const texts: string[] = [];
  const frames: ServerFrame[] = [];
  const waiters = new Set<() => void>();
  let pongs = 0;
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  socket.on("error", () => {});
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    if (text === "pong") pongs += 1;
    else {
      texts.push(text);
      frames.push(JSON.parse(text) as ServerFrame);
    }
    for (const check of waiters) check();
  });
  const waitUntil = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = find();
        if (found === undefined) return;
        waiters.delete(check);
        resolve(found);
      };
      waiters.add(check);
      void closed.then(({ code }) => {
        check();
        reject(new Error(`The socket was closed: ${code}`));
      });
      check();
    });
  await waitForOpen(socket);
  return {
    socket,
    texts,
    frames,
    errors: () => frames.filter((frame): frame is ErrorFrame => "type" in frame && frame.type === "error"),
    closed,
    waitFor: (found) => waitUntil(() => frames.find((frame) => found(frame))),
    waitForPong() {
      const due = pongs + 1;
      socket.send("ping");
      return waitUntil(() => (pongs >= due ? true : undefined)).then(() => undefined);
    },
    close: () => socket.terminate(),
  };
}

async function waitForOpen(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
    socket.once("unexpected-response", (_, response) => {
      let body = "";
      response.on("data", (piece: Buffer) => (body += piece.toString()));
      response.on("end", () => reject(JSON.parse(body) as ProblemDetails));
    });
  });
}

/** Opens a WebSocket and returns its TCP connection, for tests that break the protocol. */
export async function openRawSocket(url: string, conversationId: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `GET /api/v1/conversations/${conversationId}/ws HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\n` +
      "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const [first] = (await once(socket, "data")) as [Buffer];
  if (!first.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(first.toString("latin1"));
  return socket;
}

/** Encodes one WebSocket frame as a client sends it (RFC 6455). */
export function encodeFrame(
  opcode: number,
  payload: Uint8Array,
  options: { final?: boolean; masked?: boolean } = {},
): Uint8Array {
  const { final = true, masked = true } = options;
  const { length } = payload;
  const head = [(final ? 0x80 : 0) | opcode];
  if (length < 126) head.push((masked ? 0x80 : 0) | length);
  else head.push((masked ? 0x80 : 0) | 126, length >> 8, length & 0xff);
  const mask = masked ? [1, 2, 3, 4] : [];
  const body = masked ? payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)) : payload;
  return Uint8Array.from([...head, ...mask, ...body]);
}
