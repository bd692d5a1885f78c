/** A comment, which is no event: it keeps whatever is in between from closing a quiet stream. */
export const HEARTBEAT = ":\n\n";

export type ServerEvent = { readonly name: string; readonly data: string };

/**
 * Splits server-sent events out of text that comes in pieces, wherever it was cut. By the standard, lines end in a line
 * feed, a carriage return or both. Ids and comments are dropped.
 */
export class EventSplitter {
  #rest = "";
  #name = "";
  #data: string | undefined;
  /** Whether a line feed that comes next belongs to the carriage return before it, which has ended its line. */
  #isCut = false;

  /** The events that this piece completed. */
  feed(piece: string): ServerEvent[] {
    const found: ServerEvent[] = [];
    let start = this.#isCut && piece.startsWith("\n") ? 1 : 0;
    if (piece !== "") this.#isCut = piece.endsWith("\r");
    let [feed, back] = [placeOf("\n", piece, start), placeOf("\r", piece, start)];
    for (let end = Math.min(feed, back); end < piece.length; end = Math.min(feed, back)) {
      const line = this.#rest + piece.slice(start, end);
      this.#rest = "";
      this.#line(line, found);
      start = end + (piece.startsWith("\r\n", end) ? 2 : 1);
      if (feed < start) feed = placeOf("\n", piece, start);
      if (back < start) back = placeOf("\r", piece, start);
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

/** Where the mark comes next; the end of the text where it does not. */
function placeOf(mark: string, text: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

function valueAfter(line: string, colon: number): string {
  return line.slice(line.charCodeAt(colon) === 32 ? colon + 1 : colon);
}
