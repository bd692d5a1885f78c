// What an agent sends besides words, as components.

import type { Part } from "@a2a-js/sdk";
import type { AgentEvent } from "../protocol/agent.ts";
import { unreachable } from "../protocol/assert.ts";

/** D1 for components: one that the agent repeats as it was is told once. */
export class Attachments {
  readonly #told = new Map<string, string>();
  /** How many parts each artifact has: those that are appended get the places that they have in the whole. */
  readonly #lengths = new Map<string, number>();

  ofArtifact(taskId: string | undefined, id: string, parts: readonly Part[], append: boolean): AgentEvent[] {
    const first = append ? (this.#lengths.get(id) ?? 0) : 0;
    this.#lengths.set(id, first + parts.length);
    return this.of(taskId, id, parts, first);
  }

  of(taskId: string | undefined, id: string, parts: readonly Part[], first = 0): AgentEvent[] {
    const scope = [taskId, id].filter((name) => name !== undefined && name !== "").join("-");
    return parts.flatMap((part, index): AgentEvent[] => {
      const attachment = attachmentOf(part);
      if (attachment === undefined) return [];
      if (scope === "") return [{ type: "component", ...attachment }];
      const component_id = `${scope}-${first + index}`;
      if (this.#told.get(component_id) === attachment.content) return [];
      this.#told.set(component_id, attachment.content);
      return [{ type: "component", ...attachment, component_id }];
    });
  }
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
