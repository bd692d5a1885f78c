// A WebSocket without any of the client's manners: it says what it is told to, and keeps what it hears.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { ProblemDetails } from "../../src/protocol/wire/fault.ts";

type ErrorFrame = Extract<ServerFrame, { type: "error" }>;

export type PlainSocket = {
  readonly socket: WebSocket;
  /** What came in, as it was sent. */
  readonly texts: readonly string[];
  /** The same, read. */
  readonly frames: readonly ServerFrame[];
  readonly errors: () => readonly ErrorFrame[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Resolves with the first frame for which `found` holds, come or to come; rejects once closed. */
  readonly until: (found: (frame: ServerFrame) => boolean) => Promise<ServerFrame>;
  /** Hears everything up to now: resolves with the answer to a `ping`. */
  readonly pong: () => Promise<void>;
  readonly close: () => void;
};

/** Opens it. Rejects with the problem when the upgrade is refused. */
export async function plainSocket(
  url: string,
  conversationId: string,
  after: number | string = 0,
): Promise<PlainSocket> {
  const address = `${url.replace("http", "ws")}/api/v1/conversations/${conversationId}/ws?after=${after}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const texts: string[] = [];
  const frames: ServerFrame[] = [];
  const looking = new Set<() => void>();
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
    for (const look of looking) look();
  });
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        looking.delete(look);
        resolve(found);
      };
      looking.add(look);
      void closed.then(({ code }) => {
        look();
        reject(new Error(`The socket was closed: ${code}`));
      });
      look();
    });
  await opened(socket);
  return {
    socket,
    texts,
    frames,
    errors: () => frames.filter((frame): frame is ErrorFrame => "type" in frame && frame.type === "error"),
    closed,
    until: (found) => when(() => frames.find((frame) => found(frame))),
    pong() {
      const due = pongs + 1;
      socket.send("ping");
      return when(() => (pongs >= due ? true : undefined)).then(() => undefined);
    },
    close: () => socket.terminate(),
  };
}

async function opened(socket: WebSocket): Promise<void> {
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

/** The TCP connection under a WebSocket that was just opened, for those who break its rules. */
export async function rawSocket(url: string, conversationId: string): Promise<Socket> {
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

/** One WebSocket frame as a client sends it. */
export function wireFrame(
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
