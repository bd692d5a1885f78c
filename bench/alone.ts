// The calls of one turn, made without any runtime: what the model itself takes.

import { wishIn, worded, type Wish } from "./wish.ts";

/** How long the model takes for a whole plan, in milliseconds. */
export async function aloneTurn(modelUrl: string, wish: Wish): Promise<number> {
  const startedAt = performance.now();
  const said = worded(wish);
  await call(modelUrl, "triage", said);
  await call(modelUrl, "planner", said);
  const part = worded({ ...wishIn(said), kind: "answer" });
  await Promise.all([call(modelUrl, "agent:assistant", part), call(modelUrl, "agent:assistant", part)]);
  await call(modelUrl, "synthesis", said);
  return performance.now() - startedAt;
}

async function call(modelUrl: string, role: string, content: string): Promise<void> {
  const response = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-orrery-role": role },
    body: JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content }] }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}`);
  await response.arrayBuffer();
}
