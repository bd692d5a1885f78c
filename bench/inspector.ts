// The inspector of a runtime: calls its methods and reads the size of its heap.

import type { Buffer } from "node:buffer";
import { WebSocket } from "ws";

type Target = { readonly webSocketDebuggerUrl: string };
type CallInspector = (method: string, params?: object) => Promise<unknown>;

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

/** Returns the bytes that the heap of the Worker holds after a full garbage collection. */
export function readHeapBytes(inspector: string): Promise<number> {
  return withInspector(inspector, async (call) => {
    await call("HeapProfiler.collectGarbage");
    const { usedSize } = (await call("Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize;
  });
}

function createInspectorCaller(socket: WebSocket): CallInspector {
  const pending = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.on("message", (data) => {
    const { id, result } = JSON.parse((data as Buffer).toString()) as { id?: number; result?: unknown };
    if (id !== undefined) pending.get(id)?.(result);
  });
  return (method, params = {}) =>
    new Promise((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
}
