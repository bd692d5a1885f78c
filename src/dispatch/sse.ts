/**
 * Splits server-sent events out of text that comes in pieces, wherever it was cut. Returns the data of the
 * events that each piece completed. Event names, ids and comments mean nothing in A2A.
 */
export class EventSplitter {
  #rest = "";
  #data: string | undefined;

  feed(piece: string): string[] {
    const found: string[] = [];
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

  /** What stands after the last blank line: a careless server leaves that line out. */
  end(): string[] {
    const found = this.feed("\n\n");
    return found;
  }

  #line(line: string, found: string[]): void {
    if (line === "") {
      if (this.#data !== undefined) found.push(this.#data);
      this.#data = undefined;
    } else if (line.startsWith("data:")) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    }
  }
}
