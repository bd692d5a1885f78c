// The description of the HTTP interface, made of the routes and the schemas that validate them.

import * as z from "zod";
import { agentSchema } from "../protocol/agent.ts";
import { itemSchema, ticketSchema } from "../protocol/answers.ts";
import { conversationSchema } from "../protocol/conversation.ts";
import {
  columnSchema,
  datasetSchema,
  datasetSummarySchema,
  describedColumnSchema,
  filterSchema,
} from "../protocol/dataset.ts";
import { conversationEventSchema, frameSchema } from "../protocol/events.ts";
import { blueprintSchema } from "../protocol/blueprint.ts";
import { FAULT_STATUS, problemSchema } from "../protocol/fault.ts";
import { blockSchema, pageSpecSchema } from "../protocol/page.ts";
import { keptPageSchema, pageLinkSchema, pageSummarySchema } from "../protocol/pages.ts";
import { verificationSchema } from "../protocol/verification.ts";
import { instanceSummarySchema, planInstanceSchema, startedInstanceSchema } from "../protocol/plan-instance.ts";
import { planTemplateSchema, planTemplateSummarySchema } from "../protocol/plan-template.ts";
import { planSchema, scheduleConfigSchema, taskSchema } from "../protocol/plan.ts";
import { runResultSchema, scheduleSchema } from "../protocol/recurring.ts";
import { toolSummarySchema, toolWithVersionsSchema } from "../protocol/tools.ts";
import { runReportSchema } from "../protocol/webhook.ts";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;
type Direction = "input" | "output";

/** What several routes speak of stands once, under a name. */
const NAMED = z
  .registry<{ id: string }>()
  .add(agentSchema, { id: "Agent" })
  .add(blockSchema, { id: "Block" })
  .add(blueprintSchema, { id: "Blueprint" })
  .add(columnSchema, { id: "Column" })
  .add(conversationSchema, { id: "Conversation" })
  .add(datasetSchema, { id: "Dataset" })
  .add(datasetSummarySchema, { id: "DatasetSummary" })
  .add(describedColumnSchema, { id: "DescribedColumn" })
  .add(conversationEventSchema, { id: "Event" })
  .add(filterSchema, { id: "Filter" })
  .add(frameSchema, { id: "Frame" })
  .add(itemSchema, { id: "Item" })
  .add(keptPageSchema, { id: "Page" })
  .add(pageLinkSchema, { id: "PageLink" })
  .add(pageSpecSchema, { id: "PageSpec" })
  .add(pageSummarySchema, { id: "PageSummary" })
  .add(planSchema, { id: "Plan" })
  .add(planInstanceSchema, { id: "PlanInstance" })
  .add(instanceSummarySchema, { id: "PlanInstanceSummary" })
  .add(startedInstanceSchema, { id: "StartedPlanInstance" })
  .add(planTemplateSchema, { id: "PlanTemplate" })
  .add(planTemplateSummarySchema, { id: "PlanTemplateSummary" })
  .add(problemSchema, { id: "Problem" })
  .add(runReportSchema, { id: "RunReport" })
  .add(runResultSchema, { id: "RunResult" })
  .add(scheduleSchema, { id: "Schedule" })
  .add(scheduleConfigSchema, { id: "ScheduleConfig" })
  .add(taskSchema, { id: "Task" })
  .add(ticketSchema, { id: "Ticket" })
  .add(toolSummarySchema, { id: "ToolSummary" })
  .add(toolWithVersionsSchema, { id: "Tool" })
  .add(verificationSchema, { id: "Verification" });

const TAGS = [
  {
    name: "Talking",
    description:
      "Send messages, answer questions, stop work. With `Accept: text/event-stream` the answer is the thread itself, " +
      "event by event, up to its `done`; otherwise it says where the thread can be read. Closing a stream stops nothing.",
  },
  {
    name: "Reading",
    description:
      "What happened and how it stands. Every event of a conversation has a number; whoever asks for what came after " +
      "the last one they saw has missed nothing.",
  },
  { name: "Conversations", description: "A conversation belongs to one user. For anybody else it does not exist." },
  {
    name: "Schedules",
    description:
      "Tasks that recur. They are set up by asking for them in a conversation, and go with it. A schedule may name a " +
      "webhook, to which the result of every run is sent as well.",
  },
  {
    name: "Agents",
    description: "Those of the deployment and those that you registered by the URL of their A2A card.",
  },
  {
    name: "Plan templates",
    description:
      "Processes that react: a listener acts when a task's status changes, and what it brings changes the next task. " +
      "A released template is an agent as well. What is wrong with one is answered as a 422 with all `problems`.",
  },
  {
    name: "Plan instances",
    description:
      "A template at work on one subject. An instance is a conversation of its own, so it can be read and followed as " +
      "one. When its main task is done, every agent that acted is asked to verify what it did.",
  },
  {
    name: "Tools",
    description: "What the toolsmith has written for you, tried and kept. Every other code under a name is a version.",
  },
  {
    name: "Datasets",
    description:
      "Tables of your own. A file is read with its types, or refused with the line and column of what is wrong with it; " +
      "queries are checked objects, and a name that is not there is answered with the nearest ones.",
  },
  {
    name: "Analysis",
    description:
      "Questions about data. What is said to `/api/conversation` is answered, asked back about, or planned as a page; " +
      "`/api/page/generate` makes the page and streams how it comes about. What was made and asked is kept for each " +
      "`conversationId`. Members are in camelCase, and a body that does not fit is a 422.",
  },
  {
    name: "Pages",
    description:
      "The pages that were made for you, with what they were made from. A link lets others read one for a while.",
  },
  { name: "About", description: "The server itself." },
];

/** Describes the routes, and itself. */
export function openApiRoute(others: readonly Route[]): Route {
  let text: string | undefined;
  const self: Route = {
    method: "get",
    path: "/openapi.json",
    tag: "About",
    summary: "This description",
    query: null,
    body: null,
    answer: { status: 200, description: "An OpenAPI 3.1 document", schema: z.record(z.string(), z.unknown()) },
    streams: false,
    isPublic: true,
    run: () => {
      text ??= JSON.stringify(openApi([...others, self]));
      return Promise.resolve(new Response(text, { headers: { "content-type": "application/json" } }));
    },
  };
  return self;
}

export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery",
      version: "1",
      description:
        "Conversations that several agents carry out together. Errors are problem details (RFC 9457) with a stable " +
        "`code`. Times are milliseconds since the epoch. The frames of sockets are described in `docs/protocol.md`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: TAGS,
    security: [{ bearer: [] }, {}],
    paths,
    webhooks: { "schedule.run": { post: RUN_REPORT } },
    components: {
      schemas: components(),
      responses: { Problem: { description: "What went wrong, and what to do", content: problem() } },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "Its `sub` is the user. Not needed where the server was started without authentication.",
        },
      },
    },
  };
}

function operation(route: Route) {
  const { method, path, tag, summary, query, headers, body, example, uploads, answer, streams, isPublic } = route;
  const content = {
    ...(answer.schema === null ? {} : json(schemaOf(answer.schema, "output"), undefined, answer.type)),
    ...(streams ? { "text/event-stream": { schema: STREAM, example: STREAM_EXAMPLE } } : {}),
  };
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(isPublic === true ? { security: [] } : {}),
    parameters: [
      ...pathParameters(path),
      ...(query === null ? [] : queryParameters(query)),
      ...Object.entries(headers ?? {}).map(([name, description]) => headerParameter(name, description)),
    ],
    ...(body === null ? {} : { requestBody: { required: true, content: json(schemaOf(body, "input"), example) } }),
    ...(uploads === undefined ? {} : { requestBody: { required: true, content: uploads } }),
    responses: {
      [answer.status]: { description: answer.description, ...(Object.keys(content).length === 0 ? {} : { content }) },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** `get /api/v1/conversations/{id}/events` is `getConversationsByIdEvents`. */
function operationId(method: string, path: string): string {
  const words =
    path
      .replace(/^\/api\/v1/, "")
      .replaceAll(/\{(\w)/g, "by-{$1")
      .match(/\w+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** What others are called with. */
const RUN_REPORT = {
  operationId: "scheduleRun",
  tags: ["Schedules"],
  summary: "A run of a schedule has ended",
  security: [],
  parameters: [
    headerParameter("webhook-id", "The run, the same at every attempt: take it once."),
    headerParameter("webhook-timestamp", "The time of the attempt, in seconds since the epoch."),
    headerParameter("webhook-signature", "`v1,` and the signature, by https://www.standardwebhooks.com."),
  ],
  requestBody: { required: true, content: json(schemaOf(runReportSchema, "output")) },
  responses: {
    "2XX": { description: "It has arrived. Anything else is tried again later" },
    "410": { description: "Nothing more is wanted" },
  },
};

const STREAM = { type: "string", description: "Server-sent events: `id:` is the `seq`, `data:` a Frame." };
const STREAM_EXAMPLE = `id: 4\ndata: {"seq":4,"event":"message_chunk","data":{…}}\n\n`;

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** A query is text; it is described as what becomes of it. */
function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {} } = schemaOf(query, "output") as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

function headerParameter(name: string, description: string): Json {
  return { name, in: "header", description, schema: { type: "string" } };
}

function json(schema: Json, example?: unknown, type = "application/json"): Json {
  return { [type]: { schema, ...(example === undefined ? {} : { example }) } };
}

function problem(): Json {
  const code = "not_found";
  const example = { type: "about:blank", title: "not found", status: FAULT_STATUS[code], code };
  return {
    "application/problem+json": {
      schema: schemaOf(problemSchema, "output"),
      example: { ...example, detail: "There is no such conversation." },
    },
  };
}

function components(): Json {
  const { schemas } = z.toJSONSchema(NAMED, { ...optionsFor("output"), uri: referenceOf });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $id: _, $schema: __, ...schema }]) => [id, schema]));
}

/** A schema in which everything that has a name is a reference. */
function schemaOf(schema: z.ZodType, io: Direction): Json {
  const own = NAMED.get(schema);
  if (own !== undefined) return { $ref: referenceOf(own.id) };
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { ...optionsFor(io), metadata: NAMED });
  return JSON.parse(JSON.stringify(rest).replaceAll(`"#/$defs/`, `"${referenceOf("")}`)) as Json;
}

function referenceOf(id: string): string {
  return `#/components/schemas/${id}`;
}

function optionsFor(io: Direction) {
  return {
    io,
    unrepresentable: "any" as const,
    override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      // Answers may grow; and the parts of an `allOf` must leave room for one another.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Every whole number has these bounds; saying so only looks strange.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const event = jsonSchema.properties?.["event"];
      if (typeof event === "object" && typeof event.const === "string") jsonSchema.title = event.const;
    },
  };
}
