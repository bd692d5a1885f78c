// Random threads as A2A streams: every reader ends with the content of the history.

import type { Artifact, StreamResponse } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildTask } from "../../../src/http/a2a/task-snapshot.ts";
import { A2AEncoder } from "../../../src/http/a2a/a2a-encoder.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, getItemText, type Item } from "../../../src/protocol/wire/items.ts";
import { randomThreads, createRecord, THREAD, createThread, type ThreadStep } from "./random-threads.ts";
import { pickByLength } from "../../support/run-length.ts";

const TASK_SCOPE = { contextId: "c", taskId: `c.${THREAD}` };
const RUNS = pickByLength(120, 5_000);

/** Returns the content of the history that A2A can represent. */
function computeArtifacts(frames: readonly Frame[]): Record<string, unknown> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  const shown = [...items.values()].flatMap((item): [string, unknown][] => {
    if (item.event === "message_chunk") return getItemText(item) === "" ? [] : [[item.item_id, getItemText(item)]];
    return item.event === "component_generator" ? [[item.item_id, JSON.parse(getItemText(item))]] : [];
  });
  return Object.fromEntries(shown);
}

/** A client that applies artifacts as the protocol specifies. */
class ArtifactClient {
  readonly #artifacts = new Map<string, Artifact>();

  apply({ payload }: StreamResponse): void {
    if (payload?.$case === "task") {
      this.#artifacts.clear();
      for (const artifact of payload.value.artifacts) this.#artifacts.set(artifact.artifactId, artifact);
    }
    if (payload?.$case !== "artifactUpdate" || payload.value.artifact === undefined) return;
    const { artifact, append } = payload.value;
    const before = append ? (this.#artifacts.get(artifact.artifactId)?.parts ?? []) : [];
    this.#artifacts.set(artifact.artifactId, { ...artifact, parts: [...before, ...artifact.parts] });
  }

  /** An empty artifact was removed. */
  get artifacts(): Record<string, unknown> {
    const values = [...this.#artifacts].map(([id, { parts }]): [string, unknown] => {
      const contents = parts.map(({ content }): unknown => content?.value);
      return [id, contents.every((value) => typeof value === "string") ? contents.join("") : contents.at(-1)];
    });
    return Object.fromEntries(values.filter(([, value]) => value !== ""));
  }
}

function createStep(event: string, item: number, text = "", since = 0): ThreadStep {
  return { event, task: 0, item, text, since };
}

describe("the A2A stream of a thread", () => {
  test.each<[string, ThreadStep[], Record<string, unknown>]>([
    [
      "is restored when the newer one is retracted",
      [
        createStep("component_generator", 0, "old"),
        createStep("component_generator", 0, "new"),
        createStep("task_retrying", 0, "", 2),
      ],
      { "component_generator-0-0": { text: "old" } },
    ],
    [
      "is removed when it did not exist before",
      [
        createStep("message_chunk", 0, "kept"),
        createStep("component_generator", 0, "old"),
        createStep("component_generator", 0, "new"),
        createStep("task_retrying", 0, "", 2),
      ],
      { "text-0-0": "kept" },
    ],
  ])("[L2] contains a replaced component that %s", (_, happenings, expected) => {
    const encoder = new A2AEncoder(TASK_SCOPE, false);
    const client = new ArtifactClient();
    for (const frame of createThread(happenings)) for (const response of encoder.encode(frame)) client.apply(response);
    expect(client.artifacts).toEqual(expected);
  });

  test("[L2] gives its reader the artifacts of the history, from the start or from a snapshot", () => {
    const turns = fc.tuple(randomThreads, fc.nat(40));
    fc.assert(
      fc.property(turns, ([all, cut]) => {
        const frames = createThread(all);
        const [fromStart, fromSnapshot] = [new A2AEncoder(TASK_SCOPE, false), new A2AEncoder(TASK_SCOPE, false)];
        const [startClient, snapshotClient] = [new ArtifactClient(), new ArtifactClient()];
        const knownFrames = frames.slice(0, cut);
        fromSnapshot.applyKnown(knownFrames);
        if (knownFrames.length > 0)
          snapshotClient.apply({
            payload: { $case: "task", value: buildTask("c", createRecord(knownFrames), { usesExtension: false }) },
          });
        for (const [i, frame] of frames.entries()) {
          for (const response of fromStart.encode(frame)) startClient.apply(response);
          for (const response of fromSnapshot.encode(frame)) snapshotClient.apply(response);
          const expected = computeArtifacts(frames.slice(0, i + 1));
          expect(startClient.artifacts, `after ${frame.seq}`).toEqual(expected);
          if (i >= cut) expect(snapshotClient.artifacts, `joined, after ${frame.seq}`).toEqual(expected);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
