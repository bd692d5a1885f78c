// What was seen of a conversation, and what is wrong with it.

import type { Frame } from "../src/protocol/wire/events.ts";
import type { Lane } from "./lane.ts";
import type { Reader } from "./reader.ts";
import type { Tally } from "./tally.ts";
import type { Turn } from "./turn.ts";
import type { World } from "./world.ts";

export type Breach = {
  /** The invariant that does not hold. */
  readonly rule: string;
  readonly words: string;
  /** The numbers of the frames that show it. */
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
