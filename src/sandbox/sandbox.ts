// The interface of the sandbox, independent of the engine that runs the code.

import type { SandboxProgram } from "./check-program.ts";

/** A value that can be passed as JSON. */
export type SandboxValue = null | boolean | number | string | SandboxValue[] | { [key: string]: SandboxValue };

/** One execution of a program. */
export type SandboxCall = {
  readonly program: SandboxProgram;
  /** The arguments by parameter name. */
  readonly args: Readonly<Record<string, SandboxValue>>;
  /**
   * The owner of the code. Engines that reuse isolates must not share them between tenants. No state may be visible to
   * a later call in any case.
   */
  readonly tenant: string;
  readonly signal: AbortSignal;
};

/** The outcome of a call. Messages are written for the author of the code. */
export type SandboxOutcome =
  // `ms` is wall-clock time.
  | { readonly kind: "returned"; readonly value: SandboxValue; readonly ms: number }
  // `threw`: an error of the code. `exhausted`: a limit of steps, memory or time. `too_large`: the size of the result.
  | { readonly kind: "failed"; readonly reason: "threw" | "exhausted" | "too_large"; readonly message: string };

/** A place to run checked programs. Calls may run concurrently. */
export type Sandbox = {
  /**
   * Runs a program. Rejects with the signal's reason, or with an `unavailable` fault if the engine fails or is not
   * configured; errors of the program are outcomes.
   */
  run(call: SandboxCall): Promise<SandboxOutcome>;
};
