// Writes the deltas of a streamed text whose numbers must have a source.
//
// Owns the gate of one attempt of the model. The first attempt stops before the first sentence with a number that has no
// source, so nobody reads that number; the owner then retracts it and lets the model correct the text once. In the next
// attempt everything is written, and each such number is marked.
// - `openNext()` comes before each further attempt, `close()` after the last delta of an attempt.

import { NumberGate } from "../../protocol/provenance/number-gate.ts";
import type { NumberSources, UnsourcedNumber } from "../../protocol/provenance/number-sources.ts";
import type { ModelDelta } from "../ports.ts";

/** Passes deltas on to `write`, the text through a gate. `mark` follows a number without a source. */
export class SourcedWriter {
  readonly #sources: NumberSources;
  readonly #mark: string;
  readonly #write: (delta: ModelDelta) => void;
  #gate: NumberGate;

  constructor(
    { sources, mark, isCorrected }: { sources: NumberSources; mark: string; isCorrected: boolean },
    write: (delta: ModelDelta) => void,
  ) {
    this.#sources = sources;
    this.#mark = mark;
    this.#write = write;
    this.#gate = new NumberGate(sources, isCorrected ? mark : null);
  }

  /** Writes the part of a delta that may be shown. A bound function. */
  readonly write = (delta: ModelDelta): void => {
    if (delta.type === "reasoning") this.#write(delta);
    else this.#writeText(this.#gate.feed(delta.text));
  };

  /** Starts another attempt. With `isCorrected`, its numbers are marked. */
  openNext(isCorrected: boolean): void {
    this.#gate = new NumberGate(this.#sources, isCorrected ? this.#mark : null);
  }

  /** Writes the rest of the attempt, and returns its numbers without a source. */
  close(): readonly UnsourcedNumber[] {
    this.#writeText(this.#gate.flush());
    return this.#gate.unsourced;
  }

  #writeText(text: string): void {
    if (text !== "") this.#write({ type: "text", text });
  }
}
