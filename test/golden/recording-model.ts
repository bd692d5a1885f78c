// The embedded model behind an address, so that a test sees which tools each role is given.

import { createServer } from "node:http";
import { embeddedFetch } from "../../src/models/embedded/embedded-fetch.ts";
import { bodyOf, listen } from "../support/net.ts";

type Tool = { readonly function: { readonly name: string } };

export type RecordingModel = {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  /** The tools of every role that has asked, by their names; a tool that came in several forms has them all. */
  listTools(): Record<string, Record<string, unknown[]>>;
  close(): Promise<void>;
};

export async function startRecordingModel(): Promise<RecordingModel> {
  const forms = new Map<string, Map<string, Set<string>>>();

  function record(role: string, tools: readonly Tool[]): void {
    const known = forms.get(role) ?? new Map<string, Set<string>>();
    forms.set(role, known);
    for (const tool of tools) {
      const { name } = tool.function;
      known.set(name, (known.get(name) ?? new Set()).add(JSON.stringify(tool)));
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const role = String(request.headers["x-orrery-role"] ?? "");
      const { tools = [] } = JSON.parse(body) as { tools?: Tool[] };
      record(decodeURIComponent(role), tools);
      const headers = { "content-type": "application/json", "x-orrery-role": role };
      const url = `http://model.example${request.url ?? ""}`;
      const answer = await embeddedFetch(url, { method: request.method ?? "POST", headers, body });
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
