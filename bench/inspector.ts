// The inspector of a runtime: calls its methods and reads the size of its heap.

import type { Buffer } from "node:buffer";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Server } from "./processes.ts";

type Target = { readonly webSocketDebuggerUrl: string };
type CallInspector = (method: string, params?: object) => Promise<unknown>;

/** The longest time that a call takes. */
const CALL_TIMEOUT_MS = 60_000;
/** The interval of the requests that keep the runtime awake during a call. */
const WAKE_INTERVAL_MS = 50;

/** Calls `action` with the inspector of the Worker. `inspector` is the URL of the inspector of its process. */
export async function withInspector<T>(inspector: string, action: (call: CallInspector) => Promise<T>): Promise<T> {
  const targets = (await (await fetch(`${inspector.replace("ws:", "http:")}json`)).json()) as Target[];
  const [target] = targets;
  if (target === undefined) throw new Error("The runtime has no inspector target");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  try {
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return await action(createInspectorCaller(socket));
  } finally {
    socket.terminate();
  }
}

/**
 * Returns the bytes that the heap of the Worker holds after a full garbage collection. An idle workerd does not answer
 * its inspector, so the Worker receives requests meanwhile.
 */
export async function readHeapBytes({ inspector, url }: Pick<Server, "inspector" | "url">): Promise<number> {
  let isOver = false;
  const reading = withInspector(inspector, async (call) => {
    await call("HeapProfiler.collectGarbage");
    const { usedSize } = (await call("Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize;
  }).finally(() => {
    isOver = true;
  });
  const keepAwake = async () => {
    while (!isOver) {
      await (await fetch(`${url}/health`)).arrayBuffer();
      await sleep(WAKE_INTERVAL_MS);
    }
  };
  const [bytes] = await Promise.all([reading, keepAwake()]);
  return bytes;
}

function createInspectorCaller(socket: WebSocket): CallInspector {
  const pending = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.on("message", (data) => {
    const { id, result } = JSON.parse((data as Buffer).toString()) as { id?: number; result?: unknown };
    if (id !== undefined) pending.get(id)?.(result);
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const timer = setTimeout(
        () => reject(new Error(`The inspector did not answer ${method} within ${CALL_TIMEOUT_MS / 1000} s`)),
        CALL_TIMEOUT_MS,
      );
      pending.set(lastId, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
}
