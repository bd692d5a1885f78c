// An MCP server that keeps records in memory: one tool to look, three to change.

import { startScriptedMcp } from "./scripted-mcp.ts";

export type RecordValue = string | number;
export type RecordServer = {
  readonly url: string;
  readonly records: Map<string, Record<string, RecordValue>>;
  /** The number of calls of tools that change something, by record. */
  readonly writes: Map<string, number>;
  close(): Promise<void>;
};

const ID = { id: { type: "string" } };
const TOOLS = [
  {
    name: "get_record",
    description: "Returns a record.",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: ID, required: ["id"] },
  },
  {
    name: "set_field",
    description: "Sets a field of a record.",
    inputSchema: {
      type: "object",
      properties: { ...ID, field: { type: "string" }, value: { type: ["string", "number"] } },
      required: ["id", "field", "value"],
    },
  },
  {
    name: "remove_record",
    description: "Removes a record.",
    inputSchema: { type: "object", properties: ID, required: ["id"] },
  },
];

type Arguments = { readonly id: string; readonly field?: string; readonly value?: RecordValue };

export async function startRecordServer(): Promise<RecordServer> {
  const records = new Map<string, Record<string, RecordValue>>();
  const writes = new Map<string, number>();
  const change = (tool: string, { id, field = "", value = "" }: Arguments) => {
    writes.set(id, (writes.get(id) ?? 0) + 1);
    if (tool === "remove_record") records.delete(id);
    else records.set(id, { ...records.get(id), [field]: value });
    return { done: true };
  };
  const server = await startScriptedMcp({
    "tools/list": () => ({ tools: TOOLS }),
    "tools/call": ({ params }) => {
      const args = params.arguments as Arguments;
      const isLookup = params.name === "get_record";
      const record = records.get(args.id);
      const result = isLookup
        ? record === undefined
          ? { found: false }
          : { found: true, id: args.id, ...record }
        : change(params.name ?? "", args);
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
    },
  });
  return { url: server.url, records, writes, close: () => server.close() };
}
