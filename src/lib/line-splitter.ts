// Splits a stream of bytes into lines, as of JSON lines. A splitter owns the incomplete last line; use one per stream. The
// cost is linear in the length of the stream, also for a line that consists of many chunks.

/** The lines do not depend on the boundaries of the chunks. An incomplete last line is never returned. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #incompleteLine = "";

  /** Returns the lines that this chunk completes, without their line feeds. */
  feed(chunk: Uint8Array): string[] {
    const [first = "", ...others] = this.#decoder.decode(chunk, { stream: true }).split("\n");
    this.#incompleteLine += first;
    const last = others.pop();
    if (last === undefined) return [];
    const lines = [this.#incompleteLine, ...others];
    this.#incompleteLine = last;
    return lines;
  }
}
