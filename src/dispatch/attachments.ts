// What an agent sends besides words, as components.

import type { Artifact, Part } from "@a2a-js/sdk";
import type { AgentEvent } from "../protocol/agent.ts";
import { unreachable } from "../protocol/assert.ts";

/** How an artifact comes: anew, as a piece of one, or with the task that has it. */
export type Shown = "whole" | "piece" | "again";

/** D1 for components: one that the agent repeats as it was is told once. */
export class Attachments {
  /** What each component held, as a mark. */
  #told = new Map<string, string>();
  #kept: ReadonlyMap<string, string> = new Map();
  /** Those from before the agent's question, or before a crash: a task that is shown whole repeats them. */
  readonly #before: ReadonlyMap<string, string>;
  /** How many parts each artifact has: those that are appended get the places that they have in the whole. */
  readonly #lengths = new Map<string, number>();

  constructor(before: Readonly<Record<string, string>> = {}) {
    this.#before = new Map(Object.entries(before));
  }

  /** The marks of all that was told. */
  get marks(): Record<string, string> {
    return Object.fromEntries([...this.#before, ...this.#told]);
  }

  /** What was told until now stays told. */
  keep(): void {
    this.#kept = new Map(this.#told);
  }

  /** What was told since is taken back: it may come again. */
  retract(): void {
    this.#told = new Map(this.#kept);
  }

  ofArtifact(taskId: string | undefined, { artifactId: id, parts }: Artifact, kind: Shown): AgentEvent[] {
    const first = kind === "piece" ? (this.#lengths.get(id) ?? 0) : 0;
    this.#lengths.set(id, first + parts.length);
    return this.of(taskId, id, parts, kind, first);
  }

  of(taskId: string | undefined, id: string, parts: readonly Part[], kind: Shown = "whole", first = 0): AgentEvent[] {
    const scope = [taskId, id].filter((name) => name !== undefined && name !== "").join("-");
    return parts.flatMap((part, index): AgentEvent[] => {
      const attachment = attachmentOf(part);
      if (attachment === undefined) return [];
      if (scope === "") return [{ type: "component", ...attachment }];
      const component_id = `${scope}-${first + index}`;
      const mark = markOf(attachment.content);
      const known = this.#told.get(component_id) ?? (kind === "again" ? this.#before.get(component_id) : undefined);
      this.#told.set(component_id, mark);
      if (known === mark) return [];
      return [{ type: "component", ...attachment, component_id }];
    });
  }
}

/** Tells contents apart in little room: FNV-1a, twice 32 bits, and the length. */
function markOf(content: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < content.length; i += 1) {
    one = Math.imul(one ^ content.charCodeAt(i), 0x01000193);
    two = Math.imul(two ^ content.charCodeAt(i), 0x5bd1e995);
  }
  return [content.length, one >>> 0, two >>> 0].map((part) => part.toString(36)).join("-");
}

function attachmentOf({ content, filename, mediaType }: Part): { component_type: string; content: string } | undefined {
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
      return unreachable(content);
  }
}
