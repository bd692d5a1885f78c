// An incremental parser of server-sent events (WHATWG HTML, section 9.2).
//
// A parser owns the incomplete line and the fields of the incomplete event. Use one parser per stream.
// Invariant: the events do not depend on the boundaries of the chunks.
// Chunks must be passed in order; `end` comes last. The cost is linear in the length of the text, also for a line that
// never ends. Ids, retry times and comments are ignored. It never throws.

/** A comment. Servers send it to keep proxies from closing an idle stream. */
export const SSE_HEARTBEAT = ":\n\n";

/** An event. `name` is "" if the event has none; several `data` lines are joined by line feeds. */
export type ServerSentEvent = { readonly name: string; readonly data: string };

/** Parses server-sent events from chunks of text. Lines end with a line feed, a carriage return, or both. */
export class SseParser {
  #incompleteLine = "";
  #name = "";
  #data: string | undefined;
  /** True if the last chunk ended with a carriage return, so that a following line feed belongs to it. */
  #endsWithReturn = false;

  /** The length of the event that is incomplete, in UTF-16 units. */
  get incompleteLength(): number {
    return this.#incompleteLine.length + (this.#data?.length ?? 0);
  }

  /** Returns the events that this chunk completes, without those that have no data. */
  feed(piece: string): ServerSentEvent[] {
    const found: ServerSentEvent[] = [];
    let start = this.#endsWithReturn && piece.startsWith("\n") ? 1 : 0;
    if (piece !== "") this.#endsWithReturn = piece.endsWith("\r");
    let [lineFeed, carriageReturn] = [findIndexOrEnd("\n", piece, start), findIndexOrEnd("\r", piece, start)];
    for (let end = Math.min(lineFeed, carriageReturn); end < piece.length; end = Math.min(lineFeed, carriageReturn)) {
      const line = this.#incompleteLine + piece.slice(start, end);
      this.#incompleteLine = "";
      this.#parseLine(line, found);
      start = end + (piece.startsWith("\r\n", end) ? 2 : 1);
      if (lineFeed < start) lineFeed = findIndexOrEnd("\n", piece, start);
      if (carriageReturn < start) carriageReturn = findIndexOrEnd("\r", piece, start);
    }
    // The rest is not searched again, so a line without an end costs linear time.
    this.#incompleteLine += start === 0 ? piece : piece.slice(start);
    return found;
  }

  /** Ends the stream. Returns the event that no blank line ended, if there is one: some servers omit the last line. */
  end(): ServerSentEvent[] {
    return this.feed("\n\n");
  }

  #parseLine(line: string, found: ServerSentEvent[]): void {
    if (line === "") {
      // The standard ignores events without data. Some servers send them to keep a stream open.
      if (this.#data !== undefined && this.#data !== "") found.push({ name: this.#name, data: this.#data });
      this.#name = "";
      this.#data = undefined;
    } else if (line.startsWith("data:")) {
      const value = readFieldValue(line, 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (line.startsWith("event:")) {
      this.#name = readFieldValue(line, 6);
    }
  }
}

/** Returns the index of the mark from `from` on; the length of the text if it does not occur. */
function findIndexOrEnd(mark: string, text: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

function readFieldValue(line: string, colon: number): string {
  return line.slice(line.charCodeAt(colon) === 32 ? colon + 1 : colon);
}
