// Where code runs that nobody has reviewed. The engine behind it can be another one; what it takes and what comes
// of it is this.

import type { Program } from "./check.ts";

/** Values that travel as JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Call = {
  readonly program: Program;
  /** What the program's function is called with: members by name. */
  readonly args: Readonly<Record<string, Json>>;
  /** Whose code it is, for engines that keep isolates: never one for two tenants. Nothing is shared between two calls. */
  readonly tenant: string;
  readonly signal: AbortSignal;
};

/** What came of a call. `ms` is wall-clock time. Messages are for whoever wrote the code. */
export type Outcome =
  | { readonly kind: "returned"; readonly value: Json; readonly ms: number }
  /** `threw`: the code's own error. `exhausted`: too many steps, too much memory or time. `too_large`: its result. */
  | { readonly kind: "failed"; readonly reason: "threw" | "exhausted" | "too_large"; readonly message: string };

export type Sandbox = {
  /** Rejects when the signal aborts, and when the engine itself fails or is missing: that is nobody's code's fault. */
  run(call: Call): Promise<Outcome>;
};
