// The embedded model behind a URL, so that a test sees the tools of each role.

import { createServer } from "node:http";
import { fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { readBody, listen } from "../support/net.ts";

type ToolSpec = { readonly function: { readonly name: string } };

export type RecordingModel = {
  /** URL for `OPENAI_BASE_URL`. */
  readonly url: string;
  /** Returns the tools of all roles that called the model, by name. A tool with several forms lists all of them. */
  listTools(): Record<string, Record<string, unknown[]>>;
  close(): Promise<void>;
};

export async function startRecordingModel(): Promise<RecordingModel> {
  const forms = new Map<string, Map<string, Set<string>>>();

  function record(role: string, tools: readonly ToolSpec[]): void {
    const roleTools = forms.get(role) ?? new Map<string, Set<string>>();
    forms.set(role, roleTools);
    for (const tool of tools) {
      const { name } = tool.function;
      roleTools.set(name, (roleTools.get(name) ?? new Set()).add(JSON.stringify(tool)));
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      const role = String(request.headers["x-orrery-role"] ?? "");
      const { tools = [] } = JSON.parse(body) as { tools?: ToolSpec[] };
      record(decodeURIComponent(role), tools);
      const headers = { "content-type": "application/json", "x-orrery-role": role };
      const url = `http://model.example${request.url ?? ""}`;
      const answer = await fetchEmbedded(url, { method: request.method ?? "POST", headers, body });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(new Uint8Array(await answer.arrayBuffer()));
    })().catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    listTools: () =>
      sortEntries(
        [...forms].map(([role, tools]) => [role, sortEntries([...tools].map(([name, all]) => [name, parseAll(all)]))]),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseAll(texts: ReadonlySet<string>): unknown[] {
  return [...texts].toSorted().map((text) => JSON.parse(text) as unknown);
}

function sortEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
