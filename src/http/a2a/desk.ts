import type { Dialect } from "../../a2a/dialect.ts";
import type { Agent } from "../../protocol/agent.ts";
import type { Settings } from "../../settings.ts";
import type { Verbs } from "../verbs.ts";

/** What one request works with. */
export type Desk = {
  readonly verbs: Verbs;
  readonly settings: Settings;
  /** The agent that is spoken to; null for the runtime. */
  readonly agent: Agent | null;
  readonly dialect: Dialect;
  /** The client knows our extension: it gets what A2A has no place for. */
  readonly isOurs: boolean;
  /** Aborted when the reader has gone. Nothing of the work stops with it. */
  readonly gone: AbortSignal;
  /** When the reader's token expires, in milliseconds since the epoch; null when it does not. */
  readonly expiresAt: number | null;
  readonly url: string;
};
