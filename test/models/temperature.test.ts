import { expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { parseSettings } from "../../src/settings.ts";
import { ask, DONE, finish, say, serve, status, stream, type Scripted } from "./scripted-endpoint.ts";

const OK = stream(say("ok"), finish(), DONE);
const REFUSAL = status(400, {}, { message: "Unsupported value: 'temperature' does not support 0.1 with this model." });

const modelAt = (url: string) => createModel(parseSettings({ OPENAI_BASE_URL: url, OPENAI_MODEL: "m" }));
const sent = ({ requests }: Scripted) => requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

test.each([
  ["router", 0.1],
  ["blueprint", 0.2],
  ["page_chat", 0.5],
  ["chat", 0.7],
  ["triage", undefined],
  ["compose", undefined],
  ["agent:clock", undefined],
])("[F118] %s asks with the temperature %s", async (role, temperature) => {
  const endpoint = await serve(OK);
  await ask(modelAt(endpoint.url), { role });
  expect(sent(endpoint)[0]?.["temperature"]).toBe(temperature);
});

test("[F118] a call's own model and temperature go before the role's", async () => {
  const endpoint = await serve(OK);
  await ask(modelAt(endpoint.url), { role: "router", model: "other", temperature: 0 });
  expect(sent(endpoint)[0]).toMatchObject({ model: "other", temperature: 0 });
});

test("[F118] a model that knows only its own temperature is asked without one, and never again with one", async () => {
  const endpoint = await serve(REFUSAL, OK);
  const model = modelAt(endpoint.url);
  expect((await ask(model, { role: "router" })).completion.text).toBe("ok");
  await ask(model, { role: "chat" });
  await ask(model, { role: "chat", model: "other" });
  expect(sent(endpoint).map(({ temperature }) => temperature)).toEqual([0.1, undefined, undefined, 0.7]);
});

test("an endpoint that forbids `stream_options` is asked without them, and never again with them", async () => {
  const forbidden = [{ type: "extra_forbidden", loc: ["body", "stream_options", "include_usage"], input: true }];
  const endpoint = await serve(status(422, {}, forbidden), REFUSAL, OK);
  const model = modelAt(endpoint.url);
  expect((await ask(model, { role: "router" })).completion.text).toBe("ok");
  await ask(model, { role: "chat" });
  const usage = { include_usage: true };
  expect(sent(endpoint).map(({ stream_options: options, temperature }) => [options, temperature])).toEqual([
    [usage, 0.1],
    [undefined, 0.1],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("a refusal for any other reason is not tried again", async () => {
  const endpoint = await serve(status(400, {}, { message: "no such parameter" }));
  await expect(ask(modelAt(endpoint.url), { role: "router" })).rejects.toMatchObject({ code: "model_refused" });
  expect(endpoint.requests).toHaveLength(1);
});
