// Assembles the tool calls of a completion from the deltas of its stream. One builder per completion, single use.

import type { ToolCall } from "../core/ports.ts";
import { countBytes } from "../lib/text-size.ts";
import { toCount, toObject, toText, type ModelFunctionDelta, type ModelToolCallDelta } from "./model-chunk.ts";

/** A tool call that is still growing. `index` is undefined if the provider sends none. */
type ToolCallDraft = { readonly index: number | undefined; id: string; name: string; arguments: string };

/**
 * The tool calls of one completion, in the order of their first deltas. A delta belongs to the call with its `index`;
 * if the provider sends no index, or the same for all, to the call with its `id`; otherwise to the last call, until a
 * delta with a name starts the next one.
 */
export class ToolCallBuilder {
  readonly #drafts: ToolCallDraft[] = [];

  /** The number of calls so far, also incomplete ones. */
  get count(): number {
    return this.#drafts.length;
  }

  /** Adds one element of `delta.tool_calls`. Returns the number of bytes by which the arguments grew. */
  addDelta(value: unknown): number {
    const delta: ModelToolCallDelta = toObject(value) ?? {};
    const { name, arguments: args }: ModelFunctionDelta = toObject(delta.function) ?? {};
    const draft = this.#findOrAddDraft(toCount(delta.index), toText(delta.id), toText(name));
    const text = toArgumentsText(args);
    draft.arguments += text;
    return countBytes(text);
  }

  #findOrAddDraft(index: number | undefined, id: string, name: string): ToolCallDraft {
    const known =
      index !== undefined
        ? this.#drafts.findLast((draft) => draft.index === index)
        : id !== ""
          ? this.#drafts.findLast((draft) => draft.id === id)
          : this.#drafts.at(-1);
    if (known === undefined || startsNewCall(known, index, id, name)) {
      const newDraft = { index, id, name, arguments: "" };
      this.#drafts.push(newDraft);
      return newDraft;
    }
    if (known.id === "") known.id = id;
    if (known.name === "") known.name = name;
    return known;
  }

  /** Returns all calls in order. A missing or repeated id is replaced by a new one, since results refer to it. */
  finish(): ToolCall[] {
    const usedIds = new Set<string>();
    return this.#drafts.map(({ id, name, arguments: args }) => {
      const unique = id === "" || usedIds.has(id) ? `call_${crypto.randomUUID()}` : id;
      usedIds.add(unique);
      return { id: unique, name, arguments: args };
    });
  }
}

/** True if a delta with a name starts the next call, because the known call has a name already. */
function startsNewCall(known: ToolCallDraft, index: number | undefined, id: string, name: string): boolean {
  if (name === "" || known.name === "") return false;
  if (id !== "" && known.id !== "") return id !== known.id;
  return index === undefined;
}

/** Returns the arguments as text; some local servers send the object instead. */
function toArgumentsText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : toText(value);
}
