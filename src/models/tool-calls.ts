// Assembles the tool calls of a completion from the deltas of its stream. One builder per completion, single use.

import type { ToolCall } from "../core/ports.ts";
import { asCount, asObject, asText, type FunctionDelta, type ToolCallDelta } from "./chunk.ts";

/** A tool call that is still growing. `index` is undefined if the provider sends none. */
type Draft = { readonly index: number | undefined; id: string; name: string; arguments: string };

/**
 * The tool calls of one completion, in the order of their first deltas. A delta belongs to the call with its `index`;
 * if the provider sends no index, or the same for all, to the call with its `id`; otherwise to the last call, until a
 * delta with a name starts the next one.
 */
export class ToolCalls {
  readonly #drafts: Draft[] = [];

  get count(): number {
    return this.#drafts.length;
  }

  /** Adds one element of `delta.tool_calls`. */
  take(value: unknown): void {
    const delta: ToolCallDelta = asObject(value) ?? {};
    const { name, arguments: args }: FunctionDelta = asObject(delta.function) ?? {};
    const draft = this.#draftOf(asCount(delta.index), asText(delta.id), asText(name));
    draft.arguments += argumentsText(args);
  }

  #draftOf(index: number | undefined, id: string, name: string): Draft {
    const known =
      index !== undefined
        ? this.#drafts.findLast((draft) => draft.index === index)
        : id !== ""
          ? this.#drafts.findLast((draft) => draft.id === id)
          : this.#drafts.at(-1);
    if (known === undefined || isAnother(known, index, id, name)) {
      const begun = { index, id, name, arguments: "" };
      this.#drafts.push(begun);
      return begun;
    }
    if (known.id === "") known.id = id;
    if (known.name === "") known.name = name;
    return known;
  }

  /** Returns all calls in order. A missing or repeated id is replaced by a new one, since results refer to it. */
  finish(): ToolCall[] {
    const taken = new Set<string>();
    return this.#drafts.map(({ id, name, arguments: args }) => {
      const unique = id === "" || taken.has(id) ? `call_${crypto.randomUUID()}` : id;
      taken.add(unique);
      return { id: unique, name, arguments: args };
    });
  }
}

/** True if a delta with a name starts the next call, because the known call has a name already. */
function isAnother(known: Draft, index: number | undefined, id: string, name: string): boolean {
  if (name === "" || known.name === "") return false;
  if (id !== "" && known.id !== "") return id !== known.id;
  return index === undefined;
}

/** Returns the arguments as text; some local servers send the object instead. */
function argumentsText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : asText(value);
}
