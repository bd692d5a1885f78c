// [T5] When a task is cancelled, its agent is notified: it is stopped, or its open question is dismissed.

import { expect, test } from "vitest";
import type { ModelAgentDefinition } from "../../src/agents/kit/agent.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import { createAgent, createLocalAgent } from "./fixtures/local-agent.ts";
import { postStreamRequest, callJsonRpc } from "./fixtures/a2a-client.ts";

const SEED = 20_261_122;
const ROUNDS = 400;

async function waitTicks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Creates an agent that writes text and then asks, with random pauses. `notices` records how it was notified of the
 * end.
 */
function createAsker(pause: () => Promise<void>): { readonly agent: ModelAgentDefinition; readonly notices: string[] } {
  const notices: string[] = [];
  const base = createAgent(async function* (_request, { signal }) {
    try {
      for (const text of ["one", "two", "three"]) {
        yield { type: "text", text };
        await pause();
      }
      yield { type: "input_required", prompt: "Which?", state: "seat 7" };
    } finally {
      if (signal.aborted) notices.push("stopped");
    }
  });
  return {
    notices,
    agent: { ...base, dismiss: async ({ checkpoint }) => void notices.push(`dismissed: ${checkpoint}`) },
  };
}

test(`[T5] an agent that is cancelled at one of ${ROUNDS} random moments is notified`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = createRandom(SEED + round);
    const { agent, notices } = createAsker(() => waitTicks(randomBetween(random, 0, 2)));
    const server = createLocalAgent(agent);
    const reader = (await postStreamRequest(server)).body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined);
    const [, id] = /"id":"(task-[^"]+)"/.exec(first) ?? [];
    for (let reads = randomBetween(random, 0, 3); reads > 0; reads -= 1) await reader?.read();
    await waitTicks(randomBetween(random, 0, 8));
    const cancelReader = () => reader?.cancel();
    const cancelTask = () => callJsonRpc(server, { jsonrpc: "2.0", id: 2, method: "CancelTask", params: { id } });
    const actions = random() < 0.5 ? [cancelReader, cancelTask] : [cancelTask, cancelReader];
    for (const action of actions) {
      await action();
      await waitTicks(randomBetween(random, 0, 2));
    }
    await waitTicks(4);
    // At the moment of its question both notices are possible.
    expect([["stopped"], ["dismissed: seat 7"], ["stopped", "dismissed: seat 7"]], `round ${round}`).toContainEqual(
      notices,
    );
  }
});
