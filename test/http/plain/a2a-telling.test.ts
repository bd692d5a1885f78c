// Threads of any course as streams of A2A: whoever reads one has in the end what the history says.

import type { Artifact, StreamResponse } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildTask } from "../../../src/http/a2a/task-snapshot.ts";
import { A2AEncoder } from "../../../src/http/a2a/a2a-encoder.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, getItemText, type Item } from "../../../src/protocol/wire/items.ts";
import { course, recordOf, THREAD, threadOf, type Happening } from "./course.ts";

const PLACE = { contextId: "c", taskId: `c.${THREAD}` };
/** `A2A_RUNS=5000` for a longer search. */
const RUNS = Number(process.env["A2A_RUNS"] ?? 200);

/** What the history says, but for what A2A has no place for. */
function itemsOf(frames: readonly Frame[]): Record<string, unknown> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  const shown = [...items.values()].flatMap((item): [string, unknown][] => {
    if (item.event === "message_chunk") return getItemText(item) === "" ? [] : [[item.item_id, getItemText(item)]];
    return item.event === "component_generator" ? [[item.item_id, JSON.parse(getItemText(item))]] : [];
  });
  return Object.fromEntries(shown);
}

/** A client that keeps artifacts as the protocol says. */
class Client {
  readonly #artifacts = new Map<string, Artifact>();

  hear({ payload }: StreamResponse): void {
    if (payload?.$case === "task") {
      this.#artifacts.clear();
      for (const artifact of payload.value.artifacts) this.#artifacts.set(artifact.artifactId, artifact);
    }
    if (payload?.$case !== "artifactUpdate" || payload.value.artifact === undefined) return;
    const { artifact, append } = payload.value;
    const before = append ? (this.#artifacts.get(artifact.artifactId)?.parts ?? []) : [];
    this.#artifacts.set(artifact.artifactId, { ...artifact, parts: [...before, ...artifact.parts] });
  }

  /** An empty artifact is one that was taken out. */
  get shown(): Record<string, unknown> {
    const values = [...this.#artifacts].map(([id, { parts }]): [string, unknown] => {
      const contents = parts.map(({ content }): unknown => content?.value);
      return [id, contents.every((one) => typeof one === "string") ? contents.join("") : contents.at(-1)];
    });
    return Object.fromEntries(values.filter(([, value]) => value !== ""));
  }
}

function happened(event: string, item: number, text = "", since = 0): Happening {
  return { event, task: 0, item, text, since };
}

describe("a stream of A2A", () => {
  test.each<[string, Happening[], Record<string, unknown>]>([
    [
      "stands as it was before where a newer one is taken back",
      [
        happened("component_generator", 0, "old"),
        happened("component_generator", 0, "new"),
        happened("task_retrying", 0, "", 2),
      ],
      { "component_generator-0-0": { text: "old" } },
    ],
    [
      "is taken out where it was not there before",
      [
        happened("message_chunk", 0, "kept"),
        happened("component_generator", 0, "old"),
        happened("component_generator", 0, "new"),
        happened("task_retrying", 0, "", 2),
      ],
      { "text-0-0": "kept" },
    ],
  ])("[L2] a component that was replaced %s", (_, happenings, left) => {
    const telling = new A2AEncoder(PLACE, false);
    const client = new Client();
    for (const frame of threadOf(happenings)) for (const told of telling.encode(frame)) client.hear(told);
    expect(client.shown).toEqual(left);
  });

  test("[L2] leaves its reader with the artifacts of the history, from the beginning or from how the task stands", () => {
    const told = fc.tuple(course, fc.nat(40));
    fc.assert(
      fc.property(told, ([all, cut]) => {
        const frames = threadOf(all);
        const [begun, joined] = [new A2AEncoder(PLACE, false), new A2AEncoder(PLACE, false)];
        const [first, later] = [new Client(), new Client()];
        const known = frames.slice(0, cut);
        joined.applyKnown(known);
        if (known.length > 0)
          later.hear({ payload: { $case: "task", value: buildTask("c", recordOf(known), { usesExtension: false }) } });
        for (const [i, frame] of frames.entries()) {
          for (const response of begun.encode(frame)) first.hear(response);
          for (const response of joined.encode(frame)) later.hear(response);
          const shown = itemsOf(frames.slice(0, i + 1));
          expect(first.shown, `after ${frame.seq}`).toEqual(shown);
          if (i >= cut) expect(later.shown, `joined, after ${frame.seq}`).toEqual(shown);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
