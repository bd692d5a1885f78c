// The services that stay alive while the runtime is killed: the model server, a remote agent, the tools of the courier,
// the directory, and the receiver of notifications.

import { startA2AAgent, type A2AAgent } from "../test/support/a2a-agent.ts";
import { startModelServer, type ModelCall, type ModelServer } from "../test/support/model-server.ts";
import { startCourier, type Courier } from "./courier.ts";
import { startDirectory, type Directory } from "./directory.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { markIn, steadySpeech, type Piece } from "./scripts.ts";

export type World = {
  readonly model: ModelServer;
  /** The share of texts (0 to 1) that are very long. */
  readonly longs: number;
  readonly steady: A2AAgent;
  readonly directory: Directory;
  readonly receiver: Receiver;
  readonly courier: Courier;
  /** Registers the answer of the remote agent to a piece. */
  teach(piece: Piece): void;
  /** Returns the model calls with this mark, in order. */
  callsOf(mark: string): readonly ModelCall[];
  /** Returns the number of requests to the remote agent for this piece. */
  askedFor(mark: string): number;
  close(): Promise<void>;
};

/** The share of long texts. */
const LONGS = 0.03;

export async function newWorld(longs = LONGS): Promise<World> {
  const pieces = new Map<string, Piece>();
  const model = await startModelServer();
  const steady = await startA2AAgent("steady", "1.0", steadySpeech(pieces));
  const directory = await startDirectory();
  const receiver = await startReceiver();
  const courier = await startCourier();
  const calls = new Map<string, ModelCall[]>();
  const asked = new Map<string, number>();
  let sortedCalls = 0;
  let sortedAsked = 0;
  return {
    model,
    longs,
    steady,
    directory,
    receiver,
    courier,
    teach: (piece) => void pieces.set(piece.mark, piece),
    callsOf(mark) {
      for (const call of model.calls.slice(sortedCalls)) pushTo(calls, call.mark, call);
      sortedCalls = model.calls.length;
      return calls.get(mark) ?? [];
    },
    askedFor(mark) {
      for (const { query } of steady.messages.slice(sortedAsked)) {
        const key = markIn(query);
        asked.set(key, (asked.get(key) ?? 0) + 1);
      }
      sortedAsked = steady.messages.length;
      return asked.get(mark) ?? 0;
    },
    async close() {
      directory.close();
      receiver.close();
      await Promise.all([model.close(), steady.close(), courier.close()]);
    },
  };
}

/** Returns the number of the process that made the call, which its API key contains; NaN if there is none. */
export function lifeOf({ headers }: ModelCall): number {
  return Number(/-(\d+)$/.exec(headers.authorization ?? "")?.[1] ?? Number.NaN);
}

function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
