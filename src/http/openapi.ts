// Builds the OpenAPI 3.1 document of the HTTP interface from the routes and the schemas that validate their requests.
//
// Schemas in `COMPONENT_SCHEMAS` become components; every use of them becomes a reference. All functions are pure,
// except that the route of the document caches its text per isolate.

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
import { planSchema, taskSchema } from "../protocol/plan.ts";
import { runResultSchema, scheduleSchema } from "../protocol/recurring.ts";
import { scheduleConfigSchema } from "../protocol/schedule.ts";
import { toolSummarySchema, toolWithVersionsSchema } from "../protocol/tools.ts";
import { runReportSchema } from "../protocol/webhook.ts";
import type { Described, Refusing, Route } from "./route.ts";
import { TAGS } from "./tags.ts";

type Json = Record<string, unknown>;
/** The side of a schema that is described: the input of its parser or its output. */
type Direction = "input" | "output";

/** The schemas that are components, by name. */
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

/**
 * Creates the route that serves the document. The document describes the given routes and this route. It is built at
 * the first request.
 */
export function openApiRoute(others: readonly Described[]): Route {
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

/** Returns the OpenAPI document of the routes. */
export function openApi(routes: readonly Described[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route);
  const refusals = new Set([PROBLEM, ...routes.flatMap(({ refusing = [] }) => refusing)]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery",
      version: "1",
      description:
        "Conversations that several agents carry out together. Errors are problem details (RFC 9457) with a stable " +
        "`code`, but for what speaks the API of OpenAI. Times are milliseconds since the epoch. The frames of sockets are described in `docs/protocol.md`.",
    },
    tags: TAGS,
    security: [{ bearer: [] }, {}],
    paths,
    webhooks: { "schedule.run": { post: RUN_REPORT } },
    components: {
      schemas: components(),
      responses: Object.fromEntries([...refusals].map((refusing) => [refusing.name, refusal(refusing)])),
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

/** Returns the Operation object of a route. */
function operation(route: Described) {
  const { method, path, tag, summary, query, headers, body, example, uploads, answer, streams, isPublic } = route;
  const { stream = FRAMES, refusing = PROBLEM } = route;
  const streamed = { schema: { type: "string", description: stream.description }, example: stream.example };
  const content = {
    ...(answer.schema === null ? {} : json(schemaOf(answer.schema, "output"), answer.example, answer.type)),
    ...(streams ? { "text/event-stream": streamed } : {}),
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
      [answer.status]: {
        description: answer.description,
        ...(answer.headers === undefined ? {} : { headers: headersOf(answer.headers) }),
        ...(Object.keys(content).length === 0 ? {} : { content }),
      },
      default: { $ref: `#/components/responses/${refusing.name}` },
    },
  };
}

/** Derives the operation id: `get /api/v1/conversations/{id}/events` becomes `getConversationsByIdEvents`. */
function operationId(method: string, path: string): string {
  const words =
    path
      .replace(/^\/api\/v1/, "")
      .replaceAll(/\{(\w)/g, "by-{$1")
      .match(/\w+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** The webhook that reports the run of a schedule. */
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

/** The stream of routes that do not describe another one. */
const FRAMES = {
  description: "Server-sent events: `id:` is the `seq`, `data:` a Frame.",
  example: `id: 4\ndata: {"seq":4,"event":"message_chunk","data":{…}}\n\n`,
};

/** The error format of routes that do not describe another one. */
const PROBLEM: Refusing = {
  name: "Problem",
  description: "What went wrong, and what to do",
  schema: problemSchema,
  example: {
    type: "about:blank",
    title: "not found",
    status: FAULT_STATUS.not_found,
    code: "not_found",
    detail: "There is no such conversation.",
  },
};

/** Headers of error responses. */
const REFUSAL_HEADERS = {
  "Retry-After": "Seconds after which it may go better: with a 429, and with a 503 where that is known.",
  "WWW-Authenticate": "With a 401.",
};

/** Returns the Response object of an error format. */
function refusal({ name, description, schema, example }: Refusing): Json {
  const type = name === PROBLEM.name ? "application/problem+json" : "application/json";
  const content = json(schemaOf(schema, "output"), example, type);
  return { description, headers: headersOf(REFUSAL_HEADERS), content };
}

/** Returns the Header objects for descriptions by header name. */
function headersOf(headers: Readonly<Record<string, string>>): Json {
  const described = Object.entries(headers).map(([name, description]) => {
    return [name, { description, schema: { type: "string" } }] as const;
  });
  return Object.fromEntries(described);
}

/** Returns the parameters in braces of a path. */
function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** Returns the parameters of a query. They are described by the type that they are parsed to. */
function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {} } = schemaOf(query, "output") as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

function headerParameter(name: string, description: string): Json {
  return { name, in: "header", description, schema: { type: "string" } };
}

/** Returns a map of one media type with its schema and example. */
function json(schema: Json, example?: unknown, type = "application/json"): Json {
  return { [type]: { schema, ...(example === undefined ? {} : { example }) } };
}

/** Returns the schemas of all components without their `$id` and `$schema`. */
function components(): Json {
  const { schemas } = z.toJSONSchema(NAMED, { ...optionsFor("output"), uri: referenceOf });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $id: _, $schema: __, ...schema }]) => [id, schema]));
}

/** Converts a zod schema to JSON Schema, in which components are references. */
function schemaOf(schema: z.ZodType, io: Direction): Json {
  const own = NAMED.get(schema);
  if (own !== undefined) return { $ref: referenceOf(own.id) };
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { ...optionsFor(io), metadata: NAMED });
  return JSON.parse(JSON.stringify(rest).replaceAll(`"#/$defs/`, `"${referenceOf("")}`)) as Json;
}

function referenceOf(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Returns the options of the conversion to JSON Schema. */
function optionsFor(io: Direction) {
  return {
    io,
    unrepresentable: "any" as const,
    override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      // Responses may gain properties in later versions. Also, the parts of an `allOf` must not exclude each other's
      // properties.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // zod adds these bounds to every integer. They carry no information.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const event = jsonSchema.properties?.["event"];
      if (typeof event === "object" && typeof event.const === "string") jsonSchema.title = event.const;
    },
  };
}
