// T5: whenever a task is called off, its agent is told: it is stopped, or the question that it left is dismissed.

import { expect, test } from "vitest";
import type { AgentDefinition } from "../../src/agents/kit/agent.ts";
import { between, randomFrom } from "../support/random.ts";
import { agentOf, local } from "./fixtures/local.ts";
import { post, rpc } from "./fixtures/wire.ts";

const SEED = 20_261_122;
const ROUNDS = 400;

async function ticks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Says something, then asks, with pauses by chance; `told` is how it heard that nobody wants it any more. */
function asker(pause: () => Promise<void>): { readonly agent: AgentDefinition; readonly told: string[] } {
  const told: string[] = [];
  const speaking = agentOf(async function* (_request, { signal }) {
    try {
      for (const text of ["one", "two", "three"]) {
        yield { type: "text", text };
        await pause();
      }
      yield { type: "input_required", prompt: "Which?", state: "seat 7" };
    } finally {
      if (signal.aborted) told.push("stopped");
    }
  });
  return {
    told,
    agent: { ...speaking, dismiss: async ({ checkpoint }) => void told.push(`dismissed: ${checkpoint}`) },
  };
}

test(`[T5] an agent that is called off at any of ${ROUNDS} moments is told so`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = randomFrom(SEED + round);
    const { agent, told } = asker(() => ticks(between(random, 0, 2)));
    const server = local(agent);
    const reader = (await post(server)).body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined);
    const [, id] = /"id":"(task-[^"]+)"/.exec(first) ?? [];
    for (let reads = between(random, 0, 3); reads > 0; reads -= 1) await reader?.read();
    await ticks(between(random, 0, 8));
    const leaves = () => reader?.cancel();
    const callsOff = () => rpc(server, { jsonrpc: "2.0", id: 2, method: "CancelTask", params: { id } });
    const both = random() < 0.5 ? [leaves, callsOff] : [callsOff, leaves];
    for (const one of both) {
      await one();
      await ticks(between(random, 0, 2));
    }
    await ticks(4);
    // At the moment of its question it may hear both.
    expect([["stopped"], ["dismissed: seat 7"], ["stopped", "dismissed: seat 7"]], `round ${round}`).toContainEqual(
      told,
    );
  }
});
