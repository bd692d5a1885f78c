// Makes the model calls of one turn without any runtime, to measure the time of the model alone.

import { parseWorkload, formatWorkload, type Workload } from "./workload.ts";

/** Resolves with the time that the model needs for a whole plan, in milliseconds. */
export async function measureModelOnly(modelUrl: string, workload: Workload): Promise<number> {
  const startedAt = performance.now();
  const message = formatWorkload(workload);
  await callModel(modelUrl, "triage", message);
  await callModel(modelUrl, "planner", message);
  const taskQuery = formatWorkload({ ...parseWorkload(message), kind: "answer" });
  await Promise.all([
    callModel(modelUrl, "agent:assistant", taskQuery),
    callModel(modelUrl, "agent:assistant", taskQuery),
  ]);
  await callModel(modelUrl, "synthesis", message);
  return performance.now() - startedAt;
}

async function callModel(modelUrl: string, role: string, content: string): Promise<void> {
  const response = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-orrery-role": role },
    body: JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content }] }),
  });
  if (!response.ok) throw new Error(`The model server responded with ${response.status}`);
  await response.arrayBuffer();
}
