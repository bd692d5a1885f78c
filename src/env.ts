// The bindings of the Worker, as declared in wrangler.toml.

import type { ConversationApi } from "./durable/conversation/operations.ts";
import type { LibraryApi } from "./durable/library/operations.ts";
import type { GrantHolderApi, RateLimiterApi } from "./durable/rate-limit/rate-window.ts";
import type { AnalystApi } from "./protocol/pages/analysis-api.ts";
import type { AppsApi } from "./protocol/agents/app-config.ts";

/**
 * A namespace of Durable Objects, typed by their RPC interface. It does not use their classes: those import this file,
 * and the platform's generic RPC types exceed the depth limit of the compiler.
 */
type ObjectNamespace<Api> = Omit<DurableObjectNamespace, "getByName"> & {
  getByName(name: string): DurableObjectStub & Api;
};

/** The bindings of the Worker. The environment also holds the settings, as strings (`settings.ts`). */
export type Env = {
  readonly CONVERSATION: ObjectNamespace<ConversationApi & GrantHolderApi>;
  /** One object per user. */
  readonly LIBRARY: ObjectNamespace<LibraryApi>;
  /** One object per user. */
  readonly RATE_LIMITER: ObjectNamespace<RateLimiterApi>;
  readonly DB: D1Database;
  readonly ASSETS: Fetcher;
  /** Limits the requests of each user. Absent where the platform has no rate limiter; requests are then not limited. */
  readonly REQUESTS?: RateLimit;
  /** Limits the registrations of MCP clients by address. Absent where the platform has no rate limiter. */
  readonly REGISTRATIONS?: RateLimit;
  /** The clients and access grants of the OAuth server for MCP clients. Without it, there is no such server. */
  readonly OAUTH_KV?: KVNamespace;
  /** Runs agents that consist of a configuration (`AppConfig`). */
  readonly APPS: Fetcher & AppsApi;
  /** Loads isolates for generated code. Absent where the platform has none; the toolsmith then runs no code. */
  readonly LOADER?: WorkerLoader;
  /** The stand-in model of `src/embedded`, which `npm start` adds when no model is configured. */
  readonly EMBEDDED_MODEL?: Fetcher;
  /** Absent in deployments without the analyst. */
  readonly AGENT_ANALYST?: Fetcher & AnalystApi;
  /** Each binding named `AGENT_…` is an A2A agent. */
  readonly [agent: `AGENT_${string}`]: Fetcher;
};
