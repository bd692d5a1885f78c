import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { createModel, getModelInfo } from "../../src/models/create-model.ts";
import { parseSettings } from "../../src/settings.ts";
import {
  okScript,
  completeOnce,
  DONE,
  finishFrame,
  KEY,
  openStream,
  textFrame,
  serveScripts,
} from "./scripted-endpoint.ts";

const EMBEDDED = { EMBEDDED_MODEL: { fetch: fetchEmbedded } };

/** Creates the model of an environment without the embedded model. */
const createEndpointModel = (vars: Readonly<Record<string, string>>) => createModel(parseSettings(vars), {});

const ROLE_MODELS = {
  TRIAGE_MODEL: "m-triage",
  PLANNER_MODEL: "m-planner",
  SYNTHESIS_MODEL: "m-synthesis",
  AGENT_MODEL: "m-agent",
  ROUTER_MODEL: "m-router",
  BLUEPRINT_MODEL: "m-blueprint",
  CHAT_MODEL: "m-chat",
  PAGE_CHAT_MODEL: "m-page-chat",
  COMPOSE_MODEL: "m-compose",
};

test.each([
  ["triage", "m-triage"],
  ["planner", "m-planner"],
  ["synthesis", "m-synthesis"],
  ["agent:clock", "m-agent"],
  ["router", "m-router"],
  ["blueprint", "m-blueprint"],
  ["chat", "m-chat"],
  ["page_chat", "m-page-chat"],
  ["compose", "m-compose"],
  ["verify", "m-rest"],
])("the role %s uses the model %s and sends its name", async (role, model) => {
  const { url, requests } = await serveScripts(okScript);
  await completeOnce(
    createEndpointModel({ ...ROLE_MODELS, OPENAI_MODEL: "m-rest", OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY }),
    { role },
  );
  expect(requests[0]?.headers).toMatchObject({ "x-orrery-role": role, authorization: `Bearer ${KEY}` });
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ model });
});

test("an endpoint without a key receives a placeholder", async () => {
  const { url, requests } = await serveScripts(okScript);
  await completeOnce(createEndpointModel({ OPENAI_BASE_URL: url }));
  expect(requests[0]?.headers.authorization).toBe("Bearer none");
});

test("the environment of the process is not used in requests", async () => {
  const { url, requests } = await serveScripts(okScript);
  const leaks = {
    OPENAI_ORG_ID: "org-leak",
    OPENAI_PROJECT_ID: "proj-leak",
    OPENAI_BASE_URL: "http://leak.invalid/v1",
  };
  Object.assign(process.env, leaks);
  onTestFinished(() => {
    for (const name of Object.keys(leaks)) delete process.env[name];
  });
  await completeOnce(createEndpointModel({ OPENAI_BASE_URL: url }));
  expect(JSON.stringify(requests[0]?.headers)).not.toContain("leak");
});

test("consecutive calls use one connection", async () => {
  const ports = new Set<number | undefined>();
  let ended = Promise.resolve();
  const { url } = await serveScripts((response, request) => {
    ports.add(request.socket.remotePort);
    openStream(response);
    response.write(textFrame("ok") + finishFrame() + DONE);
    ended = new Promise((resolve) => response.once("finish", () => resolve()));
    setTimeout(() => response.end(), 20);
  });
  const model = createEndpointModel({ OPENAI_BASE_URL: url });
  for (let call = 0; call < 5; call++) {
    await completeOnce(model);
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(ports.size).toBe(1);
});

test("createModel returns the same model for the same settings object", () => {
  const settings = parseSettings({});
  expect(createModel(settings, {})).toBe(createModel(settings, {}));
  expect(createModel(settings, {})).not.toBe(createModel(parseSettings({}), {}));
});

test("without a key and a base URL the binding of the embedded model answers", async () => {
  const settings = parseSettings({});
  expect(getModelInfo(settings, EMBEDDED)).toEqual({ name: "orrery-embedded", kind: "embedded" });
  const { completion } = await completeOnce(createModel(settings, EMBEDDED), { role: "synthesis" });
  expect(completion.text).not.toBe("");
});

test("a key or a base URL takes precedence over the binding", () => {
  const openai = { name: "gpt-5-mini", kind: "openai" };
  expect(getModelInfo(parseSettings({ OPENAI_API_KEY: KEY }), EMBEDDED)).toEqual(openai);
  expect(getModelInfo(parseSettings({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }), EMBEDDED)).toEqual(openai);
});

test("without a key, a base URL and the binding every call is rejected with the reason", async () => {
  const settings = parseSettings({});
  expect(getModelInfo(settings, {})).toEqual({ name: "", kind: "none" });
  await expect(completeOnce(createModel(settings, {}))).rejects.toMatchObject({
    code: "model_not_configured",
    retryable: false,
    text: { key: "model.notConfigured" },
  });
});

test("a scripted model server streams reasoning, text and a tool call", async () => {
  const mock = new LLMock({ port: 0 });
  mock.onMessage("plan it", {
    content: "On it.",
    reasoning: "Needs a plan.",
    toolCalls: [{ name: "handoff_to_planner", arguments: '{"strategy":"needs_planning"}' }],
  });
  await mock.start();
  onTestFinished(() => mock.stop());
  const model = createEndpointModel({ OPENAI_BASE_URL: `${mock.url}/v1` });
  const { completion, deltas } = await completeOnce(model, { messages: [{ role: "user", content: "plan it" }] });
  expect(completion).toMatchObject({
    text: "On it.",
    toolCalls: [{ name: "handoff_to_planner", arguments: '{"strategy":"needs_planning"}' }],
  });
  expect(completion.usage.inputTokens).toBeGreaterThan(0);
  expect(deltas[0]?.type).toBe("reasoning");
});
