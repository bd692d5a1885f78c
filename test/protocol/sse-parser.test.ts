import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SseParser, SSE_HEARTBEAT, type ServerSentEvent } from "../../src/protocol/text/sse-parser.ts";

function split(pieces: readonly string[]): ServerSentEvent[] {
  const splitter = new SseParser();
  return [...pieces.flatMap((piece) => splitter.feed(piece)), ...splitter.end()];
}

describe("server-sent events", () => {
  test.each([
    ["one", "data: a\n\n", ["a"]],
    ["no space after the colon", "data:a\n\n", ["a"]],
    ["only one space is dropped", "data:  a\n\n", [" a"]],
    ["several lines of data", "data: a\ndata: b\n\n", ["a\nb"]],
    ["names, ids and comments", ": hi\nevent: x\nid: 7\nretry: 1\ndata: a\n\n", ["a"]],
    ["carriage returns", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["carriage returns alone", "data: a\r\rdata: b\rdata: c\r\r", ["a", "b\nc"]],
    ["a last carriage return", "data: a\r", ["a"]],
    ["empty events", "\n\n\ndata: a\n\n\n\n", ["a"]],
    ["an unfinished last event", "data: a\n\ndata: b", ["a", "b"]],
    ["nothing", "", []],
  ])("%s", (_name, text, expected) => {
    expect(split([text]).map(({ data }) => data)).toEqual(expected);
  });

  test("a name belongs to the one event that it stands in", () => {
    expect(split(["event: a\ndata: 1\n\ndata: 2\n\nevent: lost\n\ndata: 3\n\ndata: 4\nevent:b\n\n"])).toEqual([
      { name: "a", data: "1" },
      { name: "", data: "2" },
      { name: "", data: "3" },
      { name: "b", data: "4" },
    ]);
  });

  test.each(["\n\n", "\r\r", "\r\n\r"])("an event is told as soon as it is complete, be its end %j", (end) => {
    const splitter = new SseParser();
    expect(splitter.feed(`data: a${end}`)).toHaveLength(1);
    expect(splitter.feed("\ndata: b\n\n")).toHaveLength(1);
  });

  test("[I31] any chunking gives the same events", () => {
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
        expect(split(pieces)).toEqual(split([text]));
      }),
      { numRuns: 500 },
    );
  });

  test("a heartbeat is none, wherever it comes, and is written in one place", () => {
    expect(
      split([SSE_HEARTBEAT, "data: a\n\n", SSE_HEARTBEAT, SSE_HEARTBEAT, "data: b\n\n"]).map(({ data }) => data),
    ).toEqual(["a", "b"]);
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const writing = files.filter((file) =>
      readFileSync(join("src", file), "utf8").includes(JSON.stringify(SSE_HEARTBEAT)),
    );
    expect(writing).toEqual([join("protocol", "text", "sse-parser.ts")]);
  });
});
