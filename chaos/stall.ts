// Conducts one conversation whose thread makes no progress: its host dies with each model call, until the thread must
// wait before it resumes. The client stays connected and sends nothing, so only the alarm can resume the thread (I26).

import { setTimeout as sleep } from "node:timers/promises";
import { randomBetween } from "../test/support/random.ts";
import { judge } from "./judge.ts";
import type { Lane } from "./lane.ts";
import { newReader } from "./reader.ts";
import { scriptOfStall } from "./scripts.ts";
import { historyOf, newConversation } from "./requests.ts";
import { isDone, type Judged } from "./talk.ts";
import type { Tally } from "./tally.ts";
import { newTurn } from "./turn.ts";
import { within } from "./within.ts";
import type { World } from "./world.ts";

/** After eleven deaths the thread waits for 5 s, after the twelfth for 10 s, which is longer than a lease. */
const DEATHS = 12;
/** The longest wait, the trial of the isolate, and time for a busy machine. */
const RESUME_MS = 40_000;
const POLL_MS = 5;

/** The hosts with such a conversation: its waits suspend the kills, so there is one at a time. */
const stalled = new WeakSet<Lane>();

export const isStalled = (lane: Lane): boolean => stalled.has(lane);

/** Rejects if the thread does not resume or end in time. */
export async function stall(world: World, lane: Lane, tally: Tally): Promise<Judged> {
  stalled.add(lane);
  return conduct(world, lane, tally).finally(() => stalled.delete(lane));
}

async function conduct(world: World, lane: Lane, tally: Tally): Promise<Judged> {
  const conversationId = await lane.calmly(newConversation(lane));
  const reader = newReader({ url: lane.url, conversationId, kills: () => lane.kills, onEvent: lane.noteEvent });
  const script = scriptOfStall(world.model);
  const turn = newTurn(script, `${conversationId}-0`, lane.kills);
  reader.connect();
  try {
    const sent = reader.submit({ type: "send", id: turn.commandId, ...script.message });
    const answer = await lane.calmly(Promise.race([sent, reader.broken, lane.abandoned]));
    if (answer.type === "error") throw new Error(`A message was refused: ${answer.message}`);
    turn.threadId = answer.thread_id ?? "";
    turn.seq = answer.seq;
    tally.acks += 1;
    let isOver = false;
    const end = Promise.race([reader.until(isDone(turn.threadId)), reader.broken, lane.abandoned]);
    end.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (let calls = 0; calls < DEATHS && !isOver; calls++) {
      const isCalled = async () => {
        while (world.callsOf(script.mark).length <= calls && !isOver) await sleep(POLL_MS);
        await sleep(randomBetween(lane.random, 1, 40));
      };
      const what = `The resumption of ${turn.threadId} after ${calls} deaths of its host`;
      await lane.calmly(within(RESUME_MS, isCalled(), what));
      // A further kill would double the next wait.
      const { kills } = lane;
      lane.hurry();
      while (lane.kills === kills && !lane.isOver) await sleep(POLL_MS);
    }
    if (!isOver) tally.stalls += 1;
    await lane.calmly(within(RESUME_MS, end, `The end of ${turn.threadId} after ${DEATHS} deaths of its host`));
    turn.endedAt = lane.kills;
    const log = await historyOf(lane, conversationId);
    return { conversationId, log, breaches: judge({ world, lane, log, readers: [reader], turns: [turn], tally }) };
  } finally {
    reader.close();
  }
}
