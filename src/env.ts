import type { ConversationApi } from "./durable/api.ts";
import type { LibraryApi } from "./durable/library-api.ts";
import type { HolderApi } from "./durable/pace.ts";

// By what they are asked, not by their classes: those know what is bound here.
type Objects<Api> = DurableObjectNamespace<Api & Rpc.DurableObjectBranded>;

/** The Worker's bindings. Settings stand beside them as strings (`settings.ts`). */
export type Env = {
  readonly CONVERSATION: Objects<ConversationApi & HolderApi>;
  /** One object per user. */
  readonly LIBRARY: Objects<LibraryApi>;
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
