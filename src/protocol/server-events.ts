/** A comment, which is no event: it keeps whatever is in between from closing a quiet stream. */
export const HEARTBEAT = ":\n\n";

export type ServerEvent = { readonly name: string; readonly data: string };

/** Splits server-sent events out of text that comes in pieces, wherever it was cut. Ids and comments are dropped. */
export class EventSplitter {
  #rest = "";
  #name = "";
  #data: string | undefined;

  /** The events that this piece completed. */
  feed(piece: string): ServerEvent[] {
    const found: ServerEvent[] = [];
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      const line = this.#rest + piece.slice(start, end);
      this.#rest = "";
      this.#line(line.endsWith("\r") ? line.slice(0, -1) : line, found);
      start = end + 1;
    }
    // Not searched again: a line that never ends costs what it is long, not its square.
    this.#rest += start === 0 ? piece : piece.slice(start);
    return found;
  }

  /** What stands after the last blank line: careless servers leave that line out. */
  end(): ServerEvent[] {
    return this.feed("\n\n");
  }

  #line(line: string, found: ServerEvent[]): void {
    if (line === "") {
      // An event without data is none, by the standard: some servers keep a quiet stream open with such.
      if (this.#data !== undefined && this.#data !== "") found.push({ name: this.#name, data: this.#data });
      this.#name = "";
      this.#data = undefined;
    } else if (line.startsWith("data:")) {
      const value = valueAfter(line, 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (line.startsWith("event:")) {
      this.#name = valueAfter(line, 6);
    }
  }
}

function valueAfter(line: string, colon: number): string {
  return line.slice(line.charCodeAt(colon) === 32 ? colon + 1 : colon);
}
