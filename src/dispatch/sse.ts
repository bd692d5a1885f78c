/**
 * Splits server-sent events out of text that comes in pieces, wherever it was cut. Returns the data of the
 * events that each piece completed. Event names, ids and comments mean nothing in A2A.
 */
export class EventSplitter {
  #rest = "";
  #data: string | undefined;

  feed(piece: string): string[] {
    const found: string[] = [];
    const scanned = this.#rest.length;
    const text = this.#rest + piece;
    let start = 0;
    for (let end = text.indexOf("\n", scanned); end >= 0; end = text.indexOf("\n", start)) {
      this.#line(
        text.charCodeAt(end - 1) === 13 && end > start ? text.slice(start, end - 1) : text.slice(start, end),
        found,
      );
      start = end + 1;
    }
    this.#rest = start === 0 ? text : text.slice(start);
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
