// Programs as people and models write them. All of them must pass the check and return the right value.

import type { SandboxValue } from "../../../src/sandbox/sandbox.ts";

export type OrdinaryProgram = {
  readonly name: string;
  readonly args: Readonly<Record<string, SandboxValue>>;
  readonly code: string;
  readonly gives: SandboxValue;
};

export function createOrdinary(
  name: string,
  args: Readonly<Record<string, SandboxValue>>,
  gives: SandboxValue,
  code: string,
): OrdinaryProgram {
  return { name, args, code, gives };
}
