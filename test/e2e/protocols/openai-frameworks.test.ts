// Client tools and formats with frameworks that were written for OpenAI.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage } from "@langchain/core/messages";
import { tool as createLangChainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

const CITY = z.object({ city: z.string() });

let setup: OpenAISetup;
beforeAll(async () => {
  setup = await startOpenAISetup();
});

const scriptWeather = () =>
  setup.model.addScript({
    triage: [{ calls: [{ name: "get_weather", arguments: { city: "Oslo" } }] }, { text: "Rain in Oslo." }],
  });
const scriptCity = () => setup.model.addScript({ triage: [{ text: "It is Oslo." }, { text: '{"city":"Oslo"}' }] });

describe("the Vercel AI SDK", () => {
  const createModel = () =>
    createOpenAICompatible({
      name: "orrery",
      baseURL: `${setup.runtime.url}/v1`,
      apiKey: setup.token,
      supportsStructuredOutputs: true,
    })("orrery");
  const tools = {
    get_weather: tool({ inputSchema: CITY, execute: ({ city }) => Promise.resolve(`rain in ${city}`) }),
  };

  test.each([false, true])("runs client tools until the answer; streamed: %s", async (isStreamed) => {
    const request = { model: createModel(), prompt: `Weather? ${scriptWeather()}`, tools, stopWhen: stepCountIs(3) };
    const result = isStreamed ? streamText(request) : await generateText(request);
    expect(await result.text).toBe("Rain in Oslo.");
    expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
  });

  test("gets an answer in a schema", async () => {
    const output = Output.object({ schema: CITY });
    const result = await generateText({ model: createModel(), prompt: `City? ${scriptCity()}`, output });
    expect(result.output).toEqual({ city: "Oslo" });
  });
});

describe.each([false, true])("LangChain; over the Responses API: %s", (useResponsesApi) => {
  const createChat = () =>
    new ChatOpenAI({
      model: "orrery",
      apiKey: setup.token,
      maxRetries: 0,
      useResponsesApi,
      configuration: { baseURL: `${setup.runtime.url}/v1` },
    });

  test("runs client tools until the answer", async () => {
    const weather = createLangChainTool(({ city }) => `rain in ${city}`, { name: "get_weather", schema: CITY });
    const chat = createChat().bindTools([weather]);
    const question = new HumanMessage(`Weather? ${scriptWeather()}`);
    const first = await chat.invoke([question]);
    const [call] = first.tool_calls ?? [];
    if (call === undefined) return expect.fail("There is no call.");
    expect((await chat.invoke([question, first, await weather.invoke(call)])).text).toBe("Rain in Oslo.");
  });

  test("gets an answer in a schema", async () => {
    const chat = createChat().withStructuredOutput(CITY, { method: "jsonSchema", name: "city" });
    expect(await chat.invoke(`City? ${scriptCity()}`)).toEqual({ city: "Oslo" });
  });
});
