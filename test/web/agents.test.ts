import { describe, expect, test } from "vitest";
import { Fault } from "../../src/protocol/fault.ts";
import { agentSchema, type Agent } from "../../src/protocol/agent.ts";
import { agentAt, talkTo } from "../../src/web/agents/address.ts";
import { appOf, EMPTY_FORM, formOf, readApp, wrongIn, type AppForm } from "../../src/web/agents/app-form.ts";
import { credentialsOf, NO_CREDENTIALS, wrongInCredentials } from "../../src/web/agents/credentials.ts";
import { examplesOf } from "../../src/web/agents/examples.ts";
import { filterAgents } from "../../src/web/agents/filter.ts";
import { addressOf, reasonOf, refusalOf } from "../../src/web/agents/registering.ts";
import { halfFor, onlyIn } from "../../src/web/bilingual.ts";
import { hueOf } from "../../src/web/ui/hue.ts";

describe("an app from a form", () => {
  const form: AppForm = {
    ...EMPTY_FORM,
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
    expect(wrongIn(form)).toEqual({});
    expect(appOf(form)).toEqual(app);
  });

  test("leaves out what was left empty, and the address when a binding is meant", () => {
    const least = { ...EMPTY_FORM, name: "a", description: "b", server: "binding", binding: "MCP_PEOPLE" } as const;
    expect(appOf({ ...least, url: "https://forgotten.example", headers: "x: y" })).toEqual({
      name: "a",
      description: "b",
      instructions: "",
      mcp: { binding: "MCP_PEOPLE" },
    });
    expect(wrongIn(least)).toEqual({});
  });

  test("says at each field what is wrong there", () => {
    expect(wrongIn(EMPTY_FORM)).toEqual({ name: "badName", description: "badDescription", url: "badMcpUrl" });
    expect(wrongIn({ ...form, headers: "no colon" })).toEqual({ headers: "badHeaders" });
    expect(wrongIn({ ...form, name: "two words" })).toEqual({ name: "badName" });
    expect(wrongIn({ ...form, server: "binding", binding: "people" })).toEqual({ binding: "badBinding" });
  });

  test("goes to JSON and back without loss, skills included", () => {
    const skills = [{ id: "s", name: "Skill", description: "It can.", tags: [], examples: ["Do it"] }];
    const read = readApp(JSON.stringify({ ...app, skills }));
    expect(read.kind).toBe("app");
    if (read.kind === "app") expect(appOf(formOf(read.app))).toEqual({ ...app, skills });
  });

  test("says what is wrong with JSON", () => {
    expect(readApp("{")).toMatchObject({ kind: "json", why: expect.stringMatching(/JSON/) as string });
    expect(readApp("[]")).toMatchObject({ kind: "config", path: "JSON" });
    expect(readApp(JSON.stringify({ ...app, name: "two words" }))).toMatchObject({ kind: "config", path: "name" });
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
    expect(credentialsOf(form)).toEqual(sent);
    expect(wrongInCredentials(form)).toEqual({});
  });

  test("is refused at the field that is wrong", () => {
    expect(wrongInCredentials({ ...NO_CREDENTIALS, kind: "bearer" })).toEqual({ secret: "badSecret" });
    const key = { ...NO_CREDENTIALS, kind: "api_key", secret: "two words", place: "header", name: "a b" } as const;
    expect(wrongInCredentials(key)).toEqual({ secret: "badSecret", name: "badKeyName" });
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
    expect(refusalOf(thrown, url)).toBe(word);
  });

  test("and in the server's where they say more", () => {
    const fault = new Fault("invalid_request", "url: The address must use port 443.", { field: "url" });
    expect(reasonOf(fault, "failedAddress")).toBe("The address must use port 443.");
    expect(reasonOf(fault, "failedPrivate")).toBeNull();
  });

  test("an address needs no https in front", () => {
    expect(addressOf(" agents.example.com/a ")).toBe("https://agents.example.com/a");
    expect(addressOf("http://example.com")).toBe("http://example.com");
    expect(addressOf("  ")).toBe("");
    expect(addressOf("localhost:8790")).toBe("http://localhost:8790");
    expect(addressOf("127.0.0.1/a")).toBe("http://127.0.0.1/a");
    expect(addressOf("localhost.example.com")).toBe("https://localhost.example.com");
  });
});

test("a conversation is begun with an agent and a message, whatever is in them", () => {
  expect(talkTo("toolsmith")).toBe("/?agent=toolsmith");
  const query = new URL(talkTo("a&b", "1 + 1 = 2? 是 #x"), "https://o.example").searchParams;
  expect(query.get("agent")).toBe("a&b");
  expect(query.get("message")).toBe("1 + 1 = 2? 是 #x");
  expect(agentAt("a/b c")).toBe("/agents/a%2Fb%20c");
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
    expect([halfFor("en", text), halfFor("zh-CN", text)]).toEqual([english, chinese]);
  });

  test("examples in the other language are shown when there are no others", () => {
    expect(onlyIn("en", ["Go", "走"])).toEqual(["Go"]);
    expect(onlyIn("zh-CN", ["Go", "走"])).toEqual(["走"]);
    expect(onlyIn("zh-CN", ["Go"])).toEqual(["Go"]);
  });
});

test("the colour of a name stays, and names spread over the wheel", () => {
  expect(hueOf("toolsmith")).toBe(hueOf("toolsmith"));
  const hues = new Set(Array.from({ length: 200 }, (_, index) => hueOf(`agent-${index}`)));
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
    expect(examplesOf({ skills }, "en").map(({ message }) => message)).toEqual([
      "What time is it?",
      "1 + 1",
      "And the date?",
      "2 + 2",
      "3 + 3",
      "4 + 4",
    ]);
    expect(examplesOf({ skills }, "zh-CN")[0]).toEqual({ skill: "时间", message: "现在几点了？" });
    expect(examplesOf({ skills: [] }, "en")).toEqual([]);
  });
});
