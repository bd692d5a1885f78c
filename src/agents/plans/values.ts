// Extracts the values with which a plan starts from the person's text.

import * as z from "zod";
import type { PlanContext } from "../../protocol/plan-template.ts";
import type { Said } from "../kit/agent.ts";
import { consult } from "../kit/consult.ts";
import { questionOf, type ChatMessage } from "../kit/prompt.ts";
import type { Office } from "./office.ts";

const givenSchema = z.object({ context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) });

/**
 * Returns the values that the request, or the answer to a question, states for these names. Calls the model, except
 * when a short answer belongs to a single name. Missing names are left out.
 */
export async function* valuesIn(
  office: Office,
  names: readonly string[],
  answer: string | null,
): AsyncGenerator<Said, PlanContext> {
  if (names.length === 0) return {};
  const [only] = names;
  // An answer to a question about one value is that value.
  if (answer !== null && only !== undefined && names.length === 1 && isPlain(answer)) return { [only]: answer.trim() };
  const messages: ChatMessage[] = [{ role: "user", content: answer ?? questionOf(office.request) }];
  const reply = yield* consult(office, wantedFor(names), messages);
  if (reply.kind !== "called") return {};
  const stated = Object.entries(reply.value.context).filter(([name, value]) => names.includes(name) && value !== "");
  return Object.fromEntries(stated);
}

/** Returns the values that the current context of the request contains. */
export function knownOf({ request }: Office, names: readonly string[]): PlanContext {
  const known = Object.entries(request.metadata.current_context ?? {});
  return Object.fromEntries(
    known.flatMap(([name, value]) =>
      names.includes(name) && (typeof value === "string" || typeof value === "number") ? [[name, value]] : [],
    ),
  );
}

/** True if an answer looks like a bare value: one short line without a colon or equals sign. */
function isPlain(answer: string): boolean {
  return answer.trim().length <= 200 && !/[\n:：=]/.test(answer);
}

function wantedFor(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return {
    name: "start_plan",
    description: "Starts the process with what is stated about its subject.",
    schema: givenSchema,
    parameters: {
      type: "object",
      properties: { context: { type: "object", properties, additionalProperties: false } },
      required: ["context"],
      additionalProperties: false,
    },
  };
}
