import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SseParser, SSE_HEARTBEAT, type ServerSentEvent } from "../../src/lib/sse-parser.ts";

function parseAll(pieces: readonly string[]): ServerSentEvent[] {
  const parser = new SseParser();
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.end()];
}

describe("SseParser", () => {
  test.each([
    ["parses one event", "data: a\n\n", ["a"]],
    ["accepts no space after the colon", "data:a\n\n", ["a"]],
    ["removes only one space after the colon", "data:  a\n\n", [" a"]],
    ["joins several data lines", "data: a\ndata: b\n\n", ["a\nb"]],
    ["ignores ids and comments", ": hi\nevent: x\nid: 7\nretry: 1\ndata: a\n\n", ["a"]],
    ["accepts CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["accepts CR alone", "data: a\r\rdata: b\rdata: c\r\r", ["a", "b\nc"]],
    ["accepts a final CR", "data: a\r", ["a"]],
    ["ignores empty events", "\n\n\ndata: a\n\n\n\n", ["a"]],
    ["returns an unfinished last event", "data: a\n\ndata: b", ["a", "b"]],
    ["returns nothing for empty input", "", []],
  ])("%s", (_name, text, expected) => {
    expect(parseAll([text]).map(({ data }) => data)).toEqual(expected);
  });

  test("applies a name only to its own event", () => {
    expect(parseAll(["event: a\ndata: 1\n\ndata: 2\n\nevent: lost\n\ndata: 3\n\ndata: 4\nevent:b\n\n"])).toEqual([
      { name: "a", data: "1" },
      { name: "", data: "2" },
      { name: "", data: "3" },
      { name: "b", data: "4" },
    ]);
  });

  test.each(["\n\n", "\r\r", "\r\n\r"])("returns an event as soon as it ends with %j", (end) => {
    const parser = new SseParser();
    expect(parser.feed(`data: a${end}`)).toHaveLength(1);
    expect(parser.feed("\ndata: b\n\n")).toHaveLength(1);
  });

  test("[I31] returns the same events for any chunking", () => {
    const stream = fc
      .array(fc.tuple(fc.array(fc.string().map((s) => s.replace(/[\r\n]/g, ""))), fc.constantFrom("\n", "\r\n", "\r")))
      .map((events) =>
        events.map(([lines, end]) => [...lines.map((line) => `data: ${line}`), ""].join(end) + end).join(""),
      );
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (text, sizes) => {
        const pieces: string[] = [];
        for (let at = 0; at < text.length;) {
          const size = sizes[pieces.length % sizes.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(parseAll(pieces)).toEqual(parseAll([text]));
      }),
      { numRuns: 500 },
    );
  });

  test("ignores heartbeats, and only one source file defines them", () => {
    expect(
      parseAll([SSE_HEARTBEAT, "data: a\n\n", SSE_HEARTBEAT, SSE_HEARTBEAT, "data: b\n\n"]).map(({ data }) => data),
    ).toEqual(["a", "b"]);
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const writing = files.filter((file) =>
      readFileSync(join("src", file), "utf8").includes(JSON.stringify(SSE_HEARTBEAT)),
    );
    expect(writing).toEqual([join("lib", "sse-parser.ts")]);
  });
});
