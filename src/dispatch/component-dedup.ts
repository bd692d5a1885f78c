// Translates files and data of an agent to components, without repeating unchanged ones.
//
// D1 for components: a component that the agent repeats unchanged is emitted once. The object owns a mark (hash and
// length) for each component by its id, the marks from before the agent's question or a crash, and the number of
// parts of each artifact. Appended parts get the index that they have in the whole artifact. `commit` and `retract`
// follow the checkpoints and retractions of the agent.

import type { Artifact, Part } from "@a2a-js/sdk";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import { assertNever } from "../lib/assert.ts";

/** The form of an artifact: complete, an appended piece, or repeated as part of its task. */
export type ArtifactForm = "whole" | "piece" | "again";

/** Emits each version of a component once. */
export class ComponentDedup {
  /** The mark of each component that was emitted in this exchange. */
  #emitted = new Map<string, string>();
  #committed: ReadonlyMap<string, string> = new Map();
  /** Marks from before the agent's question or a crash. A task that is sent as a whole repeats these components. */
  readonly #before: ReadonlyMap<string, string>;
  /** The number of parts of each artifact. */
  readonly #lengths = new Map<string, number>();

  constructor(before: Readonly<Record<string, string>> = {}) {
    this.#before = new Map(Object.entries(before));
  }

  /** The marks of all components that were emitted, in this exchange and before, by component id. */
  get marks(): Record<string, string> {
    return Object.fromEntries([...this.#before, ...this.#emitted]);
  }

  /** Commits the components that were emitted so far. */
  commit(): void {
    this.#committed = new Map(this.#emitted);
  }

  /** Discards the marks since the last commit: these components may be emitted again. */
  retract(): void {
    this.#emitted = new Map(this.#committed);
  }

  /** Returns the components of an artifact that are new or changed, and records them. Text parts yield none. */
  convertArtifact(taskId: string | undefined, { artifactId: id, parts }: Artifact, kind: ArtifactForm): AgentEvent[] {
    const first = kind === "piece" ? (this.#lengths.get(id) ?? 0) : 0;
    this.#lengths.set(id, first + parts.length);
    return this.convertParts(taskId, id, parts, kind, first);
  }

  /**
   * Returns the components of parts that are new or changed, and records them. `id` is that of their message or
   * artifact, `first` the index of the first part in it. With neither a task id nor an `id` they get no `component_id`
   * and are never recognized as repeated.
   */
  convertParts(
    taskId: string | undefined,
    id: string,
    parts: readonly Part[],
    kind: ArtifactForm = "whole",
    first = 0,
  ): AgentEvent[] {
    const scope = [taskId, id].filter((name) => name !== undefined && name !== "").join("-");
    return parts.flatMap((part, index): AgentEvent[] => {
      const attachment = toComponent(part);
      if (attachment === undefined) return [];
      if (scope === "") return [{ type: "component", ...attachment }];
      const component_id = `${scope}-${first + index}`;
      const mark = computeMark(attachment.content);
      const known = this.#emitted.get(component_id) ?? (kind === "again" ? this.#before.get(component_id) : undefined);
      this.#emitted.set(component_id, mark);
      if (known === mark) return [];
      return [{ type: "component", ...attachment, component_id }];
    });
  }
}

/** Returns the length and two 32-bit hashes (FNV-1a) of a content. */
function computeMark(content: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < content.length; i += 1) {
    one = Math.imul(one ^ content.charCodeAt(i), 0x01000193);
    two = Math.imul(two ^ content.charCodeAt(i), 0x5bd1e995);
  }
  return [content.length, one >>> 0, two >>> 0].map((part) => part.toString(36)).join("-");
}

/** Converts a part to a component; undefined for text. */
function toComponent({ content, filename, mediaType }: Part): { component_type: string; content: string } | undefined {
  switch (content?.$case) {
    case undefined:
    case "text":
      return undefined;
    case "data":
      return { component_type: "data", content: JSON.stringify(content.value) ?? "null" };
    case "url":
      return {
        component_type: "file",
        content: JSON.stringify({ name: filename, media_type: mediaType, url: content.value }),
      };
    case "raw":
      return {
        component_type: "file",
        content: JSON.stringify({ name: filename, media_type: mediaType, bytes: content.value.toString("base64") }),
      };
    default:
      return assertNever(content);
  }
}
