// Programs as people and models write them. All of them have to pass and to give the right value: the policy is
// there for others.

import type { SandboxValue } from "../../../src/sandbox/sandbox.ts";

export type Ordinary = {
  readonly name: string;
  readonly args: Readonly<Record<string, SandboxValue>>;
  readonly code: string;
  readonly gives: SandboxValue;
};

export function one(
  name: string,
  args: Readonly<Record<string, SandboxValue>>,
  gives: SandboxValue,
  code: string,
): Ordinary {
  return { name, args, code, gives };
}
