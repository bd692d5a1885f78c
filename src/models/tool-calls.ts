import type { ToolCall } from "../core/ports.ts";
import { asCount, asObject, asText, type FunctionDelta, type ToolCallDelta } from "./chunk.ts";

type Draft = { readonly index: number | undefined; id: string; name: string; arguments: string };

/**
 * Puts tool calls together from their deltas. Calls are told apart by `index`; by `id` where a provider
 * sends no index, or the same one for all; by their name where it sends neither.
 */
export class ToolCalls {
  readonly #drafts: Draft[] = [];

  get count(): number {
    return this.#drafts.length;
  }

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

  /** Every call with an id of its own, in the order they were begun. */
  finish(): ToolCall[] {
    const taken = new Set<string>();
    return this.#drafts.map(({ id, name, arguments: args }) => {
      const unique = id === "" || taken.has(id) ? `call_${crypto.randomUUID()}` : id;
      taken.add(unique);
      return { id: unique, name, arguments: args };
    });
  }
}

/** A name begins a call, so one that comes for a call that has a name already may begin the next. */
function isAnother(known: Draft, index: number | undefined, id: string, name: string): boolean {
  if (name === "" || known.name === "") return false;
  if (id !== "" && known.id !== "") return id !== known.id;
  return index === undefined;
}

/** Text as the model wrote it; some local servers send the object itself. */
function argumentsText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : asText(value);
}
