// The table of abilities of the stand-in model. The help text and the tests are made from it.

import type { LocalizedText } from "../protocol/language/detect-language.ts";

/** The outcome of a request, with the built-in agents and their tools. */
export type Expectation =
  /** The assistant makes these calls, in this order. */
  | { readonly kind: "calls"; readonly calls: readonly (readonly [tool: string, args: object])[] }
  /** The planner makes these tasks; `after` are the positions of the tasks that must finish first. */
  | { readonly kind: "plan"; readonly tasks: readonly PlannedTask[] }
  /** Triage answers with a text that contains this one. */
  | { readonly kind: "says"; readonly text: string }
  /** The request is declined in one sentence, and nothing runs. */
  | { readonly kind: "declines" };

type PlannedTask = readonly [query: string, agent: string, more?: { readonly after?: readonly number[]; readonly schedule?: object }];

export type Ability<Expected = Expectation> = {
  readonly name: string;
  /** Completes “I can …”. */
  readonly description: LocalizedText;
  readonly examples: readonly { readonly request: string; readonly expect: Expected }[];
};
