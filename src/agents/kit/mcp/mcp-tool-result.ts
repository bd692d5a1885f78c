// The result of an MCP tool as text for a model.

import type { CallToolResult } from "@modelcontextprotocol/client";
import { toSingleLine } from "../../../lib/single-line.ts";

type ContentPart = CallToolResult["content"][number];

/** The maximum number of parts of a result. */
const MAX_PARTS = 100;
/** The maximum length of a name, type or address in the description of a part. */
const MAX_LABEL_CHARS = 300;

/** Formats the structured content, or else the parts. A part that is not text is described in brackets. */
export function formatToolResult({ structuredContent, content }: CallToolResult): string {
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  const lines = content.slice(0, MAX_PARTS).map(formatContentPart);
  const missing = content.length - lines.length;
  return [...lines, ...(missing > 0 ? [`[${missing} more parts were left out]`] : [])].join("\n");
}

function formatContentPart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource_link":
      return describePart("link", part.title ?? part.name, part.mimeType, part.uri);
    case "resource":
      return "text" in part.resource
        ? part.resource.text
        : describePart("resource", part.resource.mimeType, part.resource.uri);
    case "image":
    case "audio":
      return describePart(part.type, part.mimeType);
  }
}

function describePart(...labels: readonly (string | undefined)[]): string {
  const words = labels.flatMap((label) => (label === undefined ? [] : [toSingleLine(label, MAX_LABEL_CHARS)]));
  return `[${words.join(" ")}]`;
}
