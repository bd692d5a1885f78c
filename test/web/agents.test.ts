import { describe, expect, test } from "vitest";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { agentSchema, type Agent } from "../../src/protocol/agents/agent.ts";
import { buildAgentAddress, buildChatAddress } from "../../src/web/features/agents/agent-address.ts";
import {
  toAppInput,
  EMPTY_APP_FORM,
  toAppForm,
  parseAppJson,
  validateAppForm,
  type AppForm,
} from "../../src/web/features/agents/register/app-form.ts";
import {
  toCredentials,
  NO_CREDENTIALS,
  validateCredentialsForm,
} from "../../src/web/features/agents/register/credentials-fields.tsx";
import { collectSkillExamples } from "../../src/web/features/conversations/agent-welcome.tsx";
import { filterAgents } from "../../src/web/features/agents/filter-agents.ts";
import {
  completeUrl,
  getServerMessage,
  selectRegistrationError,
} from "../../src/web/features/agents/register/registration-error.tsx";
import { pickLanguage, filterByLanguage } from "../../src/web/ui/format/bilingual-text.ts";
import { computeNameHue } from "../../src/web/ui/avatar.tsx";

describe("app form", () => {
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

  test("is converted to the API input with trimmed values", () => {
    expect(validateAppForm(form)).toEqual({});
    expect(toAppInput(form)).toEqual(app);
  });

  test("omits empty fields, and the URL if a binding is selected", () => {
    const minimal = {
      ...EMPTY_APP_FORM,
      name: "a",
      description: "b",
      server: "binding",
      binding: "MCP_PEOPLE",
    } as const;
    expect(toAppInput({ ...minimal, url: "https://forgotten.example", headers: "x: y" })).toEqual({
      name: "a",
      description: "b",
      instructions: "",
      mcp: { binding: "MCP_PEOPLE" },
    });
    expect(validateAppForm(minimal)).toEqual({});
  });

  test("reports an error for each invalid field", () => {
    expect(validateAppForm(EMPTY_APP_FORM)).toEqual({
      name: "badName",
      description: "badDescription",
      url: "badMcpUrl",
    });
    expect(validateAppForm({ ...form, headers: "no colon" })).toEqual({ headers: "badHeaders" });
    expect(validateAppForm({ ...form, name: "two words" })).toEqual({ name: "badName" });
    expect(validateAppForm({ ...form, server: "binding", binding: "people" })).toEqual({ binding: "badBinding" });
  });

  test.each(["trusted", "never"] as const)(
    "restores an app with skills and the policy %s from JSON without loss",
    (untrusted_input) => {
      const skills = [{ id: "s", name: "Skill", description: "It can.", tags: [], examples: ["Do it"] }];
      const parsed = parseAppJson(JSON.stringify({ ...app, skills, untrusted_input }));
      expect(parsed.kind).toBe("app");
      if (parsed.kind === "app") expect(toAppInput(toAppForm(parsed.app))).toEqual({ ...app, skills, untrusted_input });
    },
  );

  test("reports a syntax error, a wrong type and an invalid field of JSON", () => {
    expect(parseAppJson("{")).toMatchObject({ kind: "json", why: expect.stringMatching(/JSON/) as string });
    expect(parseAppJson("[]")).toMatchObject({ kind: "config", path: "JSON" });
    expect(parseAppJson(JSON.stringify({ ...app, name: "two words" }))).toMatchObject({ kind: "config", path: "name" });
  });
});

describe("credentials form", () => {
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
      { kind: "api_key", secret: "s3cret", keyLocation: "header" },
      { type: "api_key", key: "s3cret", in: "header" },
    ],
    [
      { kind: "api_key", secret: "s3cret", keyLocation: "query", name: " key " },
      { type: "api_key", key: "s3cret", in: "query", name: "key" },
    ],
  ] as const)("is converted to the credentials of the selected kind only: %o", (input, expected) => {
    const form = { ...NO_CREDENTIALS, ...input };
    expect(toCredentials(form)).toEqual(expected);
    expect(validateCredentialsForm(form)).toEqual({});
  });

  test("reports an error for each invalid field", () => {
    expect(validateCredentialsForm({ ...NO_CREDENTIALS, kind: "bearer" })).toEqual({ secret: "badSecret" });
    const key = {
      ...NO_CREDENTIALS,
      kind: "api_key",
      secret: "two words",
      keyLocation: "header",
      name: "a b",
    } as const;
    expect(validateCredentialsForm(key)).toEqual({ secret: "badSecret", name: "badKeyName" });
  });
});

describe("registration error", () => {
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
  ])("selects the message %s", (expected, error, url) => {
    expect(selectRegistrationError(error, url)).toBe(expected);
  });

  test("includes the server's message where it is more specific", () => {
    const fault = new Fault("invalid_request", "url: The address must use port 443.", { field: "url" });
    expect(getServerMessage(fault, "failedAddress")).toBe("The address must use port 443.");
    expect(getServerMessage(fault, "failedPrivate")).toBeNull();
  });

  test("completes a URL without a scheme: http for local hosts, otherwise https", () => {
    expect(completeUrl(" agents.example.com/a ")).toBe("https://agents.example.com/a");
    expect(completeUrl("http://example.com")).toBe("http://example.com");
    expect(completeUrl("  ")).toBe("");
    expect(completeUrl("localhost:8790")).toBe("http://localhost:8790");
    expect(completeUrl("127.0.0.1/a")).toBe("http://127.0.0.1/a");
    expect(completeUrl("localhost.example.com")).toBe("https://localhost.example.com");
  });
});

test("chat and agent addresses escape agent names and messages", () => {
  expect(buildChatAddress("toolsmith")).toBe("/?agent=toolsmith");
  const query = new URL(buildChatAddress("a&b", "1 + 1 = 2? 是 #x"), "https://o.example").searchParams;
  expect(query.get("agent")).toBe("a&b");
  expect(query.get("message")).toBe("1 + 1 = 2? 是 #x");
  expect(buildAgentAddress("a/b c")).toBe("/agents/a%2Fb%20c");
});

test("the agent filter matches every word against names, descriptions, skills and tags", () => {
  const agent = (name: string, description: string, tags: string[] = []): Agent =>
    agentSchema.parse({
      name,
      description,
      source: "url",
      enabled: true,
      skills: [{ id: "s", name: "Skill", description: "", tags }],
    });
  const agents = [agent("weather", "Forecasts for cities", ["天气"]), agent("people", "Profiles in cities")];
  const findAgentNames = (filter: string) => filterAgents(agents, filter).map(({ name }) => name);
  expect(findAgentNames("")).toEqual(["weather", "people"]);
  expect(findAgentNames("CITIES")).toEqual(["weather", "people"]);
  expect(findAgentNames("cities fore")).toEqual(["weather"]);
  expect(findAgentNames("天气")).toEqual(["weather"]);
  expect(findAgentNames("nothing")).toEqual([]);
});

describe("bilingual text", () => {
  test.each([
    ["Statistics 统计", "Statistics", "统计"],
    ["Mean, median. 平均数、中位数等。", "Mean, median.", "平均数、中位数等。"],
    ["Only English.", "Only English.", "Only English."],
    ["只有中文 only", "只有中文 only", "只有中文 only"],
    [
      "Uses the word 天气 when it is asked for it",
      ...Array<string>(2).fill("Uses the word 天气 when it is asked for it"),
    ],
  ])("shows one language of %j", (text, english, chinese) => {
    expect([pickLanguage("en", text), pickLanguage("zh-CN", text)]).toEqual([english, chinese]);
  });

  test("shows examples in the other language if none exists in the user's language", () => {
    expect(filterByLanguage("en", ["Go", "走"])).toEqual(["Go"]);
    expect(filterByLanguage("zh-CN", ["Go", "走"])).toEqual(["走"]);
    expect(filterByLanguage("zh-CN", ["Go"])).toEqual(["Go"]);
  });
});

test("a name always has the same hue, and many names use all 12 hues", () => {
  expect(computeNameHue("toolsmith")).toBe(computeNameHue("toolsmith"));
  const hues = new Set(Array.from({ length: 200 }, (_, index) => computeNameHue(`agent-${index}`)));
  expect(hues.size).toBe(12);
  for (const hue of hues) expect(hue).toBeLessThan(360);
});

describe("skill examples", () => {
  const skill = (name: string, examples: string[]) => ({ id: name, name, description: "", tags: [], examples });

  test("are taken from each skill in turn, in the user's language, without duplicates, at most six", () => {
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
