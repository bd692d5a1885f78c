// The resources and prompts of the MCP server, with the current and the previous official client.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTemplateConfig } from "../../support/workflow-configs.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

let setup: OpenAISetup;
let dataset: string;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  setup = await startOpenAISetup();
  const response = await fetch(`${setup.runtime.url}/api/v1/datasets?name=scores`, {
    method: "POST",
    headers: { "content-type": "text/csv", authorization: `Bearer ${setup.token}` },
    body: "name,score\nAda,90\nBob,70\n",
  });
  dataset = ((await response.json()) as { dataset_id: string }).dataset_id;
  for (const [plan_id, status] of [
    ["welcome", "released"],
    ["unfinished", "draft"],
  ] as const) {
    const created = await setup.ada.request("POST", "/api/v1/plan-templates", {
      ...createTemplateConfig({ plan_id }),
      status,
    });
    expect(created.status).toBe(201);
  }
});
afterAll(async () => {
  for (const client of open) await client.close();
});

const INFO = { name: "test", version: "1.0.0" };
const getOptions = () => ({ requestInit: { headers: { authorization: `Bearer ${setup.token}` } } });
const getUrl = () => new URL(`${setup.runtime.url}/mcp`);

async function connectCurrentClient(): Promise<Client> {
  const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(getUrl(), getOptions()));
  open.push(client);
  return client;
}

async function connectPreviousClient(): Promise<OldClient> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(getUrl(), getOptions());
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  open.push(client);
  return client;
}

describe.each([
  ["the current client", connectCurrentClient],
  ["the previous client", connectPreviousClient],
])("MCP resources and prompts with %s", (_, connect) => {
  test("a conversation and a dataset are listed and read", async () => {
    const client = await connect();
    const asked = await setup.ada.sendAndWait(`Hello ${setup.scriptAnswer("Hello there.")}`);
    const conversation = `orrery://conversations/${asked.conversationId}`;
    // The list comes from the directory, which is updated with a delay.
    const list = async () => (await client.listResources()).resources.map(({ uri }) => uri);
    await expect.poll(list, { timeout: 10_000 }).toContain(conversation);
    expect(await list()).toContain(`orrery://datasets/${dataset}`);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "orrery://datasets/{id}/rows",
    );
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    const text = await read(conversation);
    expect(text).toMatchObject({ uri: conversation, mimeType: "text/markdown" });
    expect((text as { text: string }).text).toMatch(/## User\n\nHello .*\n\n## Orrery\n\nHello there\.$/);
    const items = (await read(`${conversation}/items`)) as { text: string };
    expect(JSON.parse(items.text)).toMatchObject({
      conversation: { conversation_id: asked.conversationId },
      is_truncated: false,
    });
    expect(await read(`orrery://datasets/${dataset}/rows`)).toMatchObject({
      mimeType: "text/csv",
      text: "name,score\r\nAda,90\r\nBob,70\r\n",
    });
    const described = (await read(`orrery://datasets/${dataset}`)) as { text: string };
    expect(JSON.parse(described.text)).toMatchObject({ name: "scores", columns: [{ name: "name" }, { mean: 80 }] });
  });

  test("an unknown resource is an error that names it", async () => {
    const client = await connect();
    for (const uri of [
      `orrery://conversations/conv-${"0".repeat(32)}`,
      `orrery://datasets/data-${"0".repeat(32)}/rows`,
      "orrery://pages/../x",
      "file:///etc/passwd",
    ]) {
      const failure = await client.readResource({ uri }).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ code: expect.toBeOneOf([-32_002, -32_602]) as number, data: { uri } });
    }
  });

  test("a released workflow is a prompt with its inputs as arguments", async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: "welcome", title: "Welcome", arguments: [{ name: "seats", required: true }] },
    ]);
    const { messages } = await client.getPrompt({ name: "welcome", arguments: { seats: "12" } });
    const text =
      "Run the workflow “Welcome” with the tool run_agent, the agent welcome, and these values in the message:\n\n- seats: 12";
    expect(messages).toEqual([{ role: "user", content: { type: "text", text } }]);
    await expect(client.getPrompt({ name: "welcome" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.getPrompt({ name: "unfinished" })).rejects.toMatchObject({ code: -32_602 });
  });
});
