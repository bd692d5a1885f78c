import type { ConversationApi } from "./durable/api.ts";
import type { LibraryApi } from "./durable/library-api.ts";
import type { HolderApi } from "./durable/pace.ts";
import type { AnalystApi } from "./protocol/analysis.ts";
import type { AppsApi } from "./protocol/app.ts";

/**
 * Objects by what they are asked, not by their classes, which know what is bound here. Of the platform's own types for
 * that, the compiler says that they are too deep.
 */
type Objects<Api> = Omit<DurableObjectNamespace, "getByName"> & {
  getByName(name: string): DurableObjectStub & Api;
};

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
  readonly APPS: Fetcher & AppsApi;
  /** Missing where the platform offers none: then no code of the toolsmith runs. */
  readonly LOADER?: WorkerLoader;
  /** Missing where a deployment leaves it out. */
  readonly AGENT_ANALYST?: Fetcher & AnalystApi;
  /** Every binding called `AGENT_…` is an agent that speaks A2A. */
  readonly [agent: `AGENT_${string}`]: Fetcher;
};
