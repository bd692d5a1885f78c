// The normal forms of texts at the border: names, descriptions, messages and language tags.

import { expect, test } from "vitest";
import * as z from "zod";
import { WRITE_TOOL } from "../../src/agents/toolsmith/offered-tools.ts";
import { proposalSchema } from "../../src/core/turn/plan-proposal.ts";
import { createColumnNames } from "../../src/datasets/column-names.ts";
import { titleSchema } from "../../src/lib/title.ts";
import { toVisibleText } from "../../src/lib/visible-text.ts";
import { agentCardSchema, agentMetadataSchema } from "../../src/protocol/agents/agent.ts";
import { appConfigSchema, executeRequestSchema } from "../../src/protocol/agents/app-config.ts";
import { updateDatasetSchema } from "../../src/protocol/datasets/dataset.ts";
import { analysisRequestSchema, pageRequestSchema } from "../../src/protocol/pages/analysis-api.ts";
import { updatePageSchema } from "../../src/protocol/pages/stored-page.ts";
import { updateScheduleSchema } from "../../src/protocol/schedules/schedule.ts";
import { languageSchema, resumeCommandSchema, sendCommandSchema } from "../../src/protocol/wire/commands.ts";
import { createConversationSchema } from "../../src/protocol/wire/conversation-info.ts";
import { startInstanceSchema } from "../../src/protocol/workflows/workflow-instance.ts";
import { workflowConfigSchema } from "../../src/protocol/workflows/workflow-template.ts";

test.each([
  ["  Plan \n\r\t B ", "Plan B"],
  ["a\u0000b\u0007c", "abc"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["\u2066pay\u2069\u200Bpal\uFEFF\u2060", "paypal"],
  ["pay\u200Dpal\u200C", "paypal"],
  ["Cafe\u0301", "Café"],
  ["line\u2028paragraph\u2029end", "line paragraph end"],
  ["a \u200B b", "a b"],
  ["a\ud800b", "ab"],
  ["👩‍👩‍👧 ❤️ 家庭", "👩‍👩‍👧 ❤️ 家庭"],
  ["می\u200Cخواهم", "می\u200Cخواهم"],
  ["\u0915\u094D\u200D\u0937", "\u0915\u094D\u200D\u0937"],
])("a title is one visible line: %j", (given, expected) => {
  expect(titleSchema.parse(given)).toBe(expected);
  expect(titleSchema.parse(expected)).toBe(expected);
});

test.each(["", "   ", "\u200B\u202E\u0000", "x".repeat(201)])(
  "a title without visible text, or too long, is refused: %j",
  (given) => {
    expect(titleSchema.safeParse(given).success).toBe(false);
  },
);

test.each([
  ["  one\r\ntwo\u2028three\n\n\tfour  five\n", "one\ntwo\nthree\n\n\tfour  five"],
  ["pay\u202Epal\u0000\ud800", "paypal"],
])("a description is visible text with its line ends: %j", (given, expected) => {
  expect(toVisibleText(given)).toBe(expected);
  expect(toVisibleText(expected)).toBe(expected);
});

const LINE = "a\u202E\u0000\n b";
const TEXT = "a\u202E\u0000\r\nb";
const MESSAGE = "a\u0000b\ud800";
const TASK = { task_id: "1", name: LINE, prompt: MESSAGE };
const LISTENER = {
  listener_id: "1",
  trigger_task_id: "1",
  action_prompt: MESSAGE,
  success_output: { task_id: "1", status: "Done" },
};
const BLUEPRINT = {
  id: "b",
  name: LINE,
  description: TEXT,
  dataContract: {},
  computeGraph: {},
  uiComposition: { tabs: [{ id: "t", label: LINE }] },
};
const SKILL = { id: LINE, name: LINE, description: TEXT, tags: [LINE], examples: [TEXT] };
const APP = {
  name: "app",
  display_name: LINE,
  description: TEXT,
  instructions: MESSAGE,
  skills: [SKILL],
  mcp: { binding: "MCP_X" },
};
const TOOL = { name: "t", description: TEXT, category: "other", parameters: {}, code: "x" };
const PLANNED = { id: "1", title: LINE, query: "q", agent_name: "a" };

/** Schemas of the border with a value in which every text needs its normal form. */
const NORMALIZED: readonly (readonly [string, z.core.$ZodType, object, object])[] = [
  [
    "a conversation",
    createConversationSchema,
    { title: LINE, message: MESSAGE },
    { title: "a b", message: "a\uFFFDb\uFFFD" },
  ],
  [
    "a message",
    sendCommandSchema,
    { message: MESSAGE, language: "ZH_hans_cn" },
    { message: "a\uFFFDb\uFFFD", language: "zh-Hans-CN" },
  ],
  ["an answer", resumeCommandSchema, { message: MESSAGE }, { message: "a\uFFFDb\uFFFD" }],
  [
    "an agent card",
    agentCardSchema,
    { name: LINE, display_name: LINE, description: TEXT, version: LINE, skills: [SKILL] },
    {
      name: "a b",
      display_name: "a b",
      description: "a\nb",
      version: "a b",
      skills: [{ id: "a b", name: "a b", description: "a\nb", tags: ["a b"], examples: ["a\nb"] }],
    },
  ],
  [
    "an app",
    appConfigSchema,
    APP,
    { display_name: "a b", description: "a\nb", instructions: "a\uFFFDb\uFFFD", skills: [{ id: "a b" }] },
  ],
  [
    "a request to an agent",
    executeRequestSchema,
    { action: MESSAGE, language: "EN-us" },
    { action: "a\uFFFDb\uFFFD", language: "en-US" },
  ],
  ["the metadata of a task", agentMetadataSchema, { language: "zh-cn" }, { language: "zh-CN" }],
  ["a dataset", updateDatasetSchema, { name: LINE }, { name: "a b" }],
  ["a page", updatePageSchema, { title: LINE }, { title: "a b" }],
  [
    "an analysis",
    analysisRequestSchema,
    { message: MESSAGE, language: "ZH" },
    { message: "a\uFFFDb\uFFFD", language: "zh" },
  ],
  [
    "a blueprint",
    pageRequestSchema,
    { blueprint: BLUEPRINT },
    { blueprint: { name: "a b", description: "a\nb", uiComposition: { tabs: [{ label: "a b" }] } } },
  ],
  ["a schedule", updateScheduleSchema, { title: LINE, query: MESSAGE }, { title: "a b", query: "a\uFFFDb\uFFFD" }],
  ["a planned task", proposalSchema, { tasks: [PLANNED] }, { tasks: [{ title: "a b" }] }],
  [
    "a plan template",
    workflowConfigSchema,
    { name: LINE, description: TEXT, tasks: [TASK], listeners: [LISTENER] },
    {
      name: "a b",
      description: "a\nb",
      tasks: [{ name: "a b", prompt: "a\uFFFDb\uFFFD" }],
      listeners: [{ action_prompt: "a\uFFFDb\uFFFD" }],
    },
  ],
  ["an instance", startInstanceSchema, { language: "en-gb" }, { language: "en-GB" }],
  ["a kept tool", WRITE_TOOL.schema, TOOL, { description: "a\nb" }],
];

test.each(NORMALIZED)("the texts of %s get their normal form", (_, schema, given, expected) => {
  expect(z.parse(schema, given)).toMatchObject(expected);
});

test("columns of a table have visible names", () => {
  expect(createColumnNames([LINE, "\u200B", "a b"])).toEqual(["a b", "Column 2", "a b (2)"]);
});

test.each(["", "e", "english language", "en-", "zh--CN", "../en", "en\u0000"])(
  "an invalid language tag is refused: %j",
  (given) => {
    expect(languageSchema.safeParse(given).success).toBe(false);
    expect(z.safeParse(agentMetadataSchema, { language: given }).success).toBe(false);
  },
);
