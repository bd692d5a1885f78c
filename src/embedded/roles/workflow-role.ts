// The agent of a workflow: reads the context values of its subject from the words.

import { findKnownValue, parseKnownValues } from "../known-values.ts";
import { parseStatedValues } from "../subject-values.ts";
import type { PromptContext } from "../prompt-context.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";

/** The tool that starts the workflow. */
export const START_PLAN = "start_plan";

export function answerAsWorkflow(talk: PromptContext, { parameters }: OfferedTool): EmbeddedAnswer {
  const facts = parseKnownValues(talk.system);
  const names = listContextNames(parameters);
  const stated = parseStatedValues(
    talk.request,
    names.filter((name) => findKnownValue(name, facts) === undefined),
  );
  const values = names.flatMap((name) => {
    const value = findKnownValue(name, facts) ?? stated[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { kind: "calls", calls: [{ name: START_PLAN, arguments: { context: Object.fromEntries(values) } }] };
}

function listContextNames(parameters: unknown): string[] {
  const { context } = getProperties(parameters);
  return Object.keys(getProperties(context));
}

function getProperties(schema: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  const properties = isObject ? schema.properties : null;
  return typeof properties === "object" && properties !== null ? (properties as Readonly<Record<string, unknown>>) : {};
}
