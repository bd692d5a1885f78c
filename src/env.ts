import type { Conversation } from "./durable/conversation.ts";
import type { Library } from "./durable/library.ts";

/** The Worker's bindings. Settings stand beside them as strings (`settings.ts`). */
export type Env = {
  readonly CONVERSATION: DurableObjectNamespace<Conversation>;
  /** One object per user. */
  readonly LIBRARY: DurableObjectNamespace<Library>;
  readonly DB: D1Database;
  readonly ASSETS: Fetcher;
  /** Counts the requests of each user. Missing where the platform offers none: then it is not done. */
  readonly REQUESTS?: RateLimit;
  /** Runs the agents that are configured, not written. */
  readonly APPS: Fetcher;
  /** Missing where the platform offers none: then no code of the toolsmith runs. */
  readonly LOADER?: WorkerLoader;
  /** Every binding called `AGENT_…` is an agent that speaks A2A. */
  readonly [agent: `AGENT_${string}`]: Fetcher;
};
