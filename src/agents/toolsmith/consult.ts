// One call of the model that is to answer with one certain tool call.

import * as z from "zod";
import type { Said } from "../kit/agent.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { specsOf, think } from "../kit/think.ts";
import type { Bench } from "./bench.ts";
import type { Wanted } from "./contract.ts";

export type Reply<T> =
  | { readonly kind: "called"; readonly value: T; readonly arguments: string }
  /** A call that cannot be read; `problem` is for the model. */
  | { readonly kind: "malformed"; readonly arguments: string; readonly problem: string }
  | { readonly kind: "text"; readonly text: string };

/** Asks the model. What it says besides is passed on when `isHeard`, which is the answer if it calls nothing. */
export async function* consult<Schema extends z.ZodType>(
  { role, model, signal, used, system }: Bench,
  wanted: Wanted<Schema>,
  messages: readonly ChatMessage[],
  { isHeard = false }: { readonly isHeard?: boolean } = {},
): AsyncGenerator<Said, Reply<z.output<Schema>>> {
  const { name, description, schema } = wanted;
  const parameters = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const tools = specsOf([{ name, description, parameters }]);
  const thinking = think(model, { role, messages: [system, ...messages], tools, signal }, used);
  for (;;) {
    const { done, value } = await thinking.next();
    if (done !== true) {
      if (isHeard || value.type !== "text") yield value;
      continue;
    }
    const [call] = value.toolCalls;
    return call === undefined ? { kind: "text", text: value.text.trim() } : read(wanted, call);
  }
}

function read<Schema extends z.ZodType>(
  { name, schema }: Wanted<Schema>,
  call: { readonly name: string; readonly arguments: string },
): Reply<z.output<Schema>> {
  const malformed = (problem: string): Reply<never> => ({ kind: "malformed", arguments: call.arguments, problem });
  if (call.name !== name) return malformed(`There is no tool ${call.name} here. Call ${name}.`);
  let given: unknown;
  try {
    given = JSON.parse(call.arguments);
  } catch {
    return malformed("The arguments are not JSON.");
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) return malformed(`Wrong arguments for ${name}: ${z.prettifyError(parsed.error)}`);
  return { kind: "called", value: parsed.data, arguments: call.arguments };
}
