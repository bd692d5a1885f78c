import { expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { parseSettings } from "../../src/settings.ts";
import { okScript, completeOnce, serveScripts, createErrorScript, type ScriptedEndpoint } from "./scripted-endpoint.ts";

const REJECTION = createErrorScript(
  400,
  {},
  { message: "Unsupported value: 'temperature' does not support 0.1 with this model." },
);

const createModelAt = (url: string) => createModel(parseSettings({ OPENAI_BASE_URL: url, OPENAI_MODEL: "m" }), {});
const listBodies = ({ requests }: ScriptedEndpoint) =>
  requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

test.each([
  ["router", 0.1],
  ["blueprint", 0.2],
  ["page_chat", 0.5],
  ["chat", 0.7],
  ["triage", undefined],
  ["compose", undefined],
  ["agent:clock", undefined],
])("[F118] the role %s sends the temperature %s", async (role, temperature) => {
  const endpoint = await serveScripts(okScript);
  await completeOnce(createModelAt(endpoint.url), { role });
  expect(listBodies(endpoint)[0]?.["temperature"]).toBe(temperature);
});

test("[F118] the model and temperature of a call override those of its role", async () => {
  const endpoint = await serveScripts(okScript);
  await completeOnce(createModelAt(endpoint.url), { role: "router", model: "other", temperature: 0 });
  expect(listBodies(endpoint)[0]).toMatchObject({ model: "other", temperature: 0 });
});

test("[F118] a model that rejects the temperature is called again without it, and later calls omit it", async () => {
  const endpoint = await serveScripts(REJECTION, okScript);
  const model = createModelAt(endpoint.url);
  expect((await completeOnce(model, { role: "router" })).completion.text).toBe("ok");
  await completeOnce(model, { role: "chat" });
  await completeOnce(model, { role: "chat", model: "other" });
  expect(listBodies(endpoint).map(({ temperature }) => temperature)).toEqual([0.1, undefined, undefined, 0.7]);
});

test("an endpoint that rejects `stream_options` is called again without them, and later calls omit them", async () => {
  const forbidden = [{ type: "extra_forbidden", loc: ["body", "stream_options", "include_usage"], input: true }];
  const endpoint = await serveScripts(createErrorScript(422, {}, forbidden), REJECTION, okScript);
  const model = createModelAt(endpoint.url);
  expect((await completeOnce(model, { role: "router" })).completion.text).toBe("ok");
  await completeOnce(model, { role: "chat" });
  const usage = { include_usage: true };
  expect(listBodies(endpoint).map(({ stream_options: options, temperature }) => [options, temperature])).toEqual([
    [usage, 0.1],
    [undefined, 0.1],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("a rejection for another reason is not retried", async () => {
  const endpoint = await serveScripts(createErrorScript(400, {}, { message: "no such parameter" }));
  await expect(completeOnce(createModelAt(endpoint.url), { role: "router" })).rejects.toMatchObject({
    code: "model_refused",
  });
  expect(endpoint.requests).toHaveLength(1);
});
