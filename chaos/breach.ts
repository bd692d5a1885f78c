// The evidence about a conversation, and a violation that was found in it.

import type { Frame } from "../src/protocol/wire/events.ts";
import type { Lane } from "./lane.ts";
import type { Reader } from "./reader.ts";
import type { Tally } from "./tally.ts";
import type { Turn } from "./turn.ts";
import type { World } from "./world.ts";

export type Breach = {
  /** The ids of the violated invariants, separated by spaces. */
  readonly rule: string;
  readonly words: string;
  /** The `seq`s of the frames that show the violation. */
  readonly seqs: readonly number[];
};

export type Evidence = {
  readonly world: World;
  readonly lane: Pick<Lane, "kills">;
  readonly log: readonly Frame[];
  readonly readers: readonly Reader[];
  readonly turns: readonly Turn[];
  readonly tally: Tally;
};
