// The agent of a workflow: reads the context values of its subject from the words.

import { factFor, factsIn } from "../facts.ts";
import { statedIn } from "../subject.ts";
import type { Talk } from "../talk.ts";
import type { Answer, Tool } from "../wire.ts";

/** The tool that starts the workflow. */
export const START_PLAN = "start_plan";

export function plan(talk: Talk, { parameters }: Tool): Answer {
  const facts = factsIn(talk.system);
  const names = namesIn(parameters);
  const stated = statedIn(
    talk.request,
    names.filter((name) => factFor(name, facts) === undefined),
  );
  const values = names.flatMap((name) => {
    const value = factFor(name, facts) ?? stated[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { kind: "calls", calls: [{ name: START_PLAN, arguments: { context: Object.fromEntries(values) } }] };
}

function namesIn(parameters: unknown): string[] {
  const { context } = propertiesOf(parameters);
  return Object.keys(propertiesOf(context));
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  const properties = isObject ? schema.properties : null;
  return typeof properties === "object" && properties !== null ? (properties as Readonly<Record<string, unknown>>) : {};
}
