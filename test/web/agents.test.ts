import { describe, expect, test } from "vitest";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { agentSchema, type Agent } from "../../src/protocol/agents/agent.ts";
import { buildAgentAddress, buildChatAddress } from "../../src/web/agents/agent-address.ts";
import {
  toAppInput,
  EMPTY_APP_FORM,
  toAppForm,
  parseAppJson,
  validateAppForm,
  type AppForm,
} from "../../src/web/agents/app-form.ts";
import { toCredentials, NO_CREDENTIALS, validateCredentialsForm } from "../../src/web/agents/credentials-form.ts";
import { collectSkillExamples } from "../../src/web/agents/skill-examples.ts";
import { filterAgents } from "../../src/web/agents/filter-agents.ts";
import { completeUrl, getServerMessage, selectRegistrationError } from "../../src/web/agents/agent-registration.ts";
import { pickLanguage, filterByLanguage } from "../../src/web/bilingual-text.ts";
import { computeNameHue } from "../../src/web/ui/name-hue.ts";

describe("an app from a form", () => {
  const form: AppForm = {
    ...EMPTY_APP_FORM,
    name: " people ",
    displayName: "People",
    description: "Keeps profiles",
    instructions: "Be brief.",
    url: "https://mcp.example.com/mcp",
    headers: "Authorization: Bearer a:b\n\n x-team : blue ",
    tools: "query_profile, add_profile，remove_profile",
  };
  const app = {
    name: "people",
    display_name: "People",
    description: "Keeps profiles",
    instructions: "Be brief.",
    mcp: { url: "https://mcp.example.com/mcp", headers: { Authorization: "Bearer a:b", "x-team": "blue" } },
    tools: ["query_profile", "add_profile", "remove_profile"],
  };

  test("is what was filled in", () => {
    expect(validateAppForm(form)).toEqual({});
    expect(toAppInput(form)).toEqual(app);
  });

  test("leaves out what was left empty, and the address when a binding is meant", () => {
    const least = { ...EMPTY_APP_FORM, name: "a", description: "b", server: "binding", binding: "MCP_PEOPLE" } as const;
    expect(toAppInput({ ...least, url: "https://forgotten.example", headers: "x: y" })).toEqual({
      name: "a",
      description: "b",
      instructions: "",
      mcp: { binding: "MCP_PEOPLE" },
    });
    expect(validateAppForm(least)).toEqual({});
  });

  test("says at each field what is wrong there", () => {
    expect(validateAppForm(EMPTY_APP_FORM)).toEqual({
      name: "badName",
      description: "badDescription",
      url: "badMcpUrl",
    });
    expect(validateAppForm({ ...form, headers: "no colon" })).toEqual({ headers: "badHeaders" });
    expect(validateAppForm({ ...form, name: "two words" })).toEqual({ name: "badName" });
    expect(validateAppForm({ ...form, server: "binding", binding: "people" })).toEqual({ binding: "badBinding" });
  });

  test("goes to JSON and back without loss, skills included", () => {
    const skills = [{ id: "s", name: "Skill", description: "It can.", tags: [], examples: ["Do it"] }];
    const read = parseAppJson(JSON.stringify({ ...app, skills }));
    expect(read.kind).toBe("app");
    if (read.kind === "app") expect(toAppInput(toAppForm(read.app))).toEqual({ ...app, skills });
  });

  test("says what is wrong with JSON", () => {
    expect(parseAppJson("{")).toMatchObject({ kind: "json", why: expect.stringMatching(/JSON/) as string });
    expect(parseAppJson("[]")).toMatchObject({ kind: "config", path: "JSON" });
    expect(parseAppJson(JSON.stringify({ ...app, name: "two words" }))).toMatchObject({ kind: "config", path: "name" });
  });
});

describe("what an agent is called with", () => {
  test.each([
    [{ secret: "forgotten" }, undefined],
    [
      { kind: "bearer", secret: " Bearer s3cret\n", name: "forgotten" },
      { type: "bearer", token: "s3cret" },
    ],
    [
      { kind: "api_key", secret: "s3cret", name: "forgotten" },
      { type: "api_key", key: "s3cret" },
    ],
    [
      { kind: "api_key", secret: "s3cret", place: "header" },
      { type: "api_key", key: "s3cret", in: "header" },
    ],
    [
      { kind: "api_key", secret: "s3cret", place: "query", name: " key " },
      { type: "api_key", key: "s3cret", in: "query", name: "key" },
    ],
  ] as const)("is what was filled in, and nothing else: %o", (filled, sent) => {
    const form = { ...NO_CREDENTIALS, ...filled };
    expect(toCredentials(form)).toEqual(sent);
    expect(validateCredentialsForm(form)).toEqual({});
  });

  test("is refused at the field that is wrong", () => {
    expect(validateCredentialsForm({ ...NO_CREDENTIALS, kind: "bearer" })).toEqual({ secret: "badSecret" });
    const key = { ...NO_CREDENTIALS, kind: "api_key", secret: "two words", place: "header", name: "a b" } as const;
    expect(validateCredentialsForm(key)).toEqual({ secret: "badSecret", name: "badKeyName" });
  });
});

describe("a refusal is told in the person's words", () => {
  test.each([
    ["failedUnreachable", new Fault("agent_unreachable", "No.", { field: "url" }), "https://agents.example.com"],
    ["failedPrivate", new Fault("invalid_request", "No.", { field: "url" }), "https://10.0.0.1/"],
    ["failedPrivate", new Fault("invalid_request", "No.", { field: "url" }), "http://localhost:8787/"],
    ["failedInsecure", new Fault("invalid_request", "No.", { field: "url" }), "http://example.com"],
    ["failedAddress", new Fault("invalid_request", "No.", { field: "url" }), "https://example.com:99"],
    ["failedAddress", new Fault("invalid_request", "No.", { field: "url" }), "https://"],
    ["failedTaken", new Fault("conflict", "Taken.", { field: "url" }), "https://agents.example.com"],
    ["failedMcp", new Fault("agent_unreachable", "No.", { field: "mcp" }), undefined],
    ["failedOther", new Fault("invalid_request", "No.", { field: "skills.0.name" }), undefined],
    ["failedOther", new Error("?"), "https://agents.example.com"],
  ])("%s", (word, thrown, url) => {
    expect(selectRegistrationError(thrown, url)).toBe(word);
  });

  test("and in the server's where they say more", () => {
    const fault = new Fault("invalid_request", "url: The address must use port 443.", { field: "url" });
    expect(getServerMessage(fault, "failedAddress")).toBe("The address must use port 443.");
    expect(getServerMessage(fault, "failedPrivate")).toBeNull();
  });

  test("an address needs no https in front", () => {
    expect(completeUrl(" agents.example.com/a ")).toBe("https://agents.example.com/a");
    expect(completeUrl("http://example.com")).toBe("http://example.com");
    expect(completeUrl("  ")).toBe("");
    expect(completeUrl("localhost:8790")).toBe("http://localhost:8790");
    expect(completeUrl("127.0.0.1/a")).toBe("http://127.0.0.1/a");
    expect(completeUrl("localhost.example.com")).toBe("https://localhost.example.com");
  });
});

test("a conversation is begun with an agent and a message, whatever is in them", () => {
  expect(buildChatAddress("toolsmith")).toBe("/?agent=toolsmith");
  const query = new URL(buildChatAddress("a&b", "1 + 1 = 2? 是 #x"), "https://o.example").searchParams;
  expect(query.get("agent")).toBe("a&b");
  expect(query.get("message")).toBe("1 + 1 = 2? 是 #x");
  expect(buildAgentAddress("a/b c")).toBe("/agents/a%2Fb%20c");
});

test("agents are found by every word, in names, descriptions, skills and tags", () => {
  const agent = (name: string, description: string, tags: string[] = []): Agent =>
    agentSchema.parse({
      name,
      description,
      source: "url",
      enabled: true,
      skills: [{ id: "s", name: "Skill", description: "", tags }],
    });
  const agents = [agent("weather", "Forecasts for cities", ["天气"]), agent("people", "Profiles in cities")];
  const found = (filter: string) => filterAgents(agents, filter).map(({ name }) => name);
  expect(found("")).toEqual(["weather", "people"]);
  expect(found("CITIES")).toEqual(["weather", "people"]);
  expect(found("cities fore")).toEqual(["weather"]);
  expect(found("天气")).toEqual(["weather"]);
  expect(found("nothing")).toEqual([]);
});

describe("what is said in two languages is shown in one", () => {
  test.each([
    ["Statistics 统计", "Statistics", "统计"],
    ["Mean, median. 平均数、中位数等。", "Mean, median.", "平均数、中位数等。"],
    ["Only English.", "Only English.", "Only English."],
    ["只有中文 only", "只有中文 only", "只有中文 only"],
    [
      "Uses the word 天气 when it is asked for it",
      ...Array<string>(2).fill("Uses the word 天气 when it is asked for it"),
    ],
  ])("%s", (text, english, chinese) => {
    expect([pickLanguage("en", text), pickLanguage("zh-CN", text)]).toEqual([english, chinese]);
  });

  test("examples in the other language are shown when there are no others", () => {
    expect(filterByLanguage("en", ["Go", "走"])).toEqual(["Go"]);
    expect(filterByLanguage("zh-CN", ["Go", "走"])).toEqual(["走"]);
    expect(filterByLanguage("zh-CN", ["Go"])).toEqual(["Go"]);
  });
});

test("the colour of a name stays, and names spread over the wheel", () => {
  expect(computeNameHue("toolsmith")).toBe(computeNameHue("toolsmith"));
  const hues = new Set(Array.from({ length: 200 }, (_, index) => computeNameHue(`agent-${index}`)));
  expect(hues.size).toBe(12);
  for (const hue of hues) expect(hue).toBeLessThan(360);
});

describe("what an agent may be asked to begin with", () => {
  const skill = (name: string, examples: string[]) => ({ id: name, name, description: "", tags: [], examples });

  test("is taken from each of its skills in turn, in one's language, once, a handful at most", () => {
    const skills = [
      skill("Time 时间", ["What time is it?", "现在几点了？", "And the date?"]),
      skill("Sums", ["1 + 1", "2 + 2", "3 + 3", "4 + 4", "5 + 5", "1 + 1"]),
      skill("Nothing", []),
    ];
    expect(collectSkillExamples({ skills }, "en").map(({ message }) => message)).toEqual([
      "What time is it?",
      "1 + 1",
      "And the date?",
      "2 + 2",
      "3 + 3",
      "4 + 4",
    ]);
    expect(collectSkillExamples({ skills }, "zh-CN")[0]).toEqual({ skill: "时间", message: "现在几点了？" });
    expect(collectSkillExamples({ skills: [] }, "en")).toEqual([]);
  });
});
