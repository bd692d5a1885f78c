// Splits a stream of bytes into lines, as of JSON lines. A splitter owns the incomplete last line; use one per stream.

/** The lines do not depend on the boundaries of the chunks. An incomplete last line is never returned. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #incompleteLine = "";

  /** Returns the lines that this chunk completes, without their line feeds. */
  feed(chunk: Uint8Array): string[] {
    const lines = (this.#incompleteLine + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#incompleteLine = lines.pop() ?? "";
    return lines;
  }
}
