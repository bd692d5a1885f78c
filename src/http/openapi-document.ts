// Builds the OpenAPI 3.1 document of the HTTP interface from the routes and the schemas that validate their requests.
//
// Schemas in `COMPONENT_SCHEMAS` become components; every use of them becomes a reference. All functions are pure,
// except that the route of the document caches its text per isolate.

import * as z from "zod";
import { agentSchema } from "../protocol/agents/agent.ts";
import { itemSchema, socketTicketSchema } from "../protocol/wire/http-responses.ts";
import { conversationInfoSchema } from "../protocol/wire/conversation-info.ts";
import {
  columnSchema,
  datasetSchema,
  datasetSummarySchema,
  columnProfileSchema,
  datasetFilterSchema,
} from "../protocol/datasets/dataset.ts";
import { conversationEventSchema, frameSchema } from "../protocol/wire/events.ts";
import { blueprintSchema } from "../protocol/pages/blueprint-schema.ts";
import { FAULT_STATUS, problemDetailsSchema } from "../protocol/wire/fault.ts";
import { pageBlockSchema, pageSpecSchema } from "../protocol/pages/page.ts";
import { storedPageSchema, pageLinkSchema, pageSummarySchema } from "../protocol/pages/stored-page.ts";
import { verificationSchema } from "../protocol/plans/verification.ts";
import {
  instanceSummarySchema,
  workflowInstanceDetailsSchema,
  startedInstanceSchema,
} from "../protocol/workflows/workflow-instance.ts";
import { workflowTemplateSchema, workflowTemplateSummarySchema } from "../protocol/workflows/workflow-template.ts";
import { planSchema, taskSchema } from "../protocol/plans/task-plan.ts";
import { scheduleRunResultSchema, scheduleSchema } from "../protocol/schedules/schedule.ts";
import { scheduleConfigSchema } from "../protocol/schedules/schedule-config.ts";
import { toolSummarySchema, toolWithVersionsSchema } from "../protocol/tools/stored-tool.ts";
import { scheduleRunReportSchema } from "../protocol/schedules/schedule-run-report.ts";
import type { RouteDescription, ErrorFormat, HttpRoute } from "./api/http-route.ts";
import { TAGS } from "./openapi-tags.ts";

type OpenApiObject = Record<string, unknown>;
/** The side of a schema that is described: the input of its parser or its output. */
type SchemaDirection = "input" | "output";

/** The schemas that are components, by name. */
const COMPONENT_SCHEMAS = z
  .registry<{ id: string }>()
  .add(agentSchema, { id: "Agent" })
  .add(pageBlockSchema, { id: "Block" })
  .add(blueprintSchema, { id: "Blueprint" })
  .add(columnSchema, { id: "Column" })
  .add(conversationInfoSchema, { id: "Conversation" })
  .add(datasetSchema, { id: "Dataset" })
  .add(datasetSummarySchema, { id: "DatasetSummary" })
  .add(columnProfileSchema, { id: "DescribedColumn" })
  .add(conversationEventSchema, { id: "Event" })
  .add(datasetFilterSchema, { id: "Filter" })
  .add(frameSchema, { id: "Frame" })
  .add(itemSchema, { id: "Item" })
  .add(storedPageSchema, { id: "Page" })
  .add(pageLinkSchema, { id: "PageLink" })
  .add(pageSpecSchema, { id: "PageSpec" })
  .add(pageSummarySchema, { id: "PageSummary" })
  .add(planSchema, { id: "Plan" })
  .add(workflowInstanceDetailsSchema, { id: "PlanInstance" })
  .add(instanceSummarySchema, { id: "PlanInstanceSummary" })
  .add(startedInstanceSchema, { id: "StartedPlanInstance" })
  .add(workflowTemplateSchema, { id: "PlanTemplate" })
  .add(workflowTemplateSummarySchema, { id: "PlanTemplateSummary" })
  .add(problemDetailsSchema, { id: "Problem" })
  .add(scheduleRunReportSchema, { id: "RunReport" })
  .add(scheduleRunResultSchema, { id: "RunResult" })
  .add(scheduleSchema, { id: "Schedule" })
  .add(scheduleConfigSchema, { id: "ScheduleConfig" })
  .add(taskSchema, { id: "Task" })
  .add(socketTicketSchema, { id: "Ticket" })
  .add(toolSummarySchema, { id: "ToolSummary" })
  .add(toolWithVersionsSchema, { id: "Tool" })
  .add(verificationSchema, { id: "Verification" });

/**
 * Creates the public route that serves the document. The document describes the given routes and this route. It is
 * built at the first request and cached.
 */
export function createOpenApiRoute(descriptions: readonly RouteDescription[]): HttpRoute {
  let text: string | undefined;
  const self: HttpRoute = {
    method: "get",
    path: "/openapi.json",
    tag: "About",
    summary: "Get the OpenAPI document",
    query: null,
    body: null,
    answer: { status: 200, description: "An OpenAPI 3.1 document", schema: z.record(z.string(), z.unknown()) },
    streams: false,
    isPublic: true,
    run: () => {
      text ??= JSON.stringify(buildOpenApiDocument([...descriptions, self]));
      return Promise.resolve(new Response(text, { headers: { "content-type": "application/json" } }));
    },
  };
  return self;
}

/**
 * Returns the OpenAPI 3.1 document of the routes: one operation per route, the webhook of schedules, and the
 * components.
 */
export function buildOpenApiDocument(routes: readonly RouteDescription[]): OpenApiObject {
  const paths: Record<string, OpenApiObject> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeOperation(route);
  const errorFormats = new Set([PROBLEM_FORMAT, ...routes.flatMap(({ errorFormat = [] }) => errorFormat)]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery",
      version: "1",
      description:
        "Conversations that several agents carry out together. Errors are problem details (RFC 9457) with a stable " +
        "`code`, except in the OpenAI-compatible API. Times are in milliseconds since the epoch. `docs/protocol.md` " +
        "describes the frames of WebSockets.",
    },
    tags: TAGS,
    security: [{ bearer: [] }, {}],
    paths,
    webhooks: { "schedule.run": { post: RUN_WEBHOOK } },
    components: {
      schemas: buildComponents(),
      responses: Object.fromEntries(
        [...errorFormats].map((errorFormat) => [errorFormat.name, describeErrorResponse(errorFormat)]),
      ),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The claim `sub` is the user id. Not required if the server runs without authentication.",
        },
      },
    },
  };
}

/** Returns the Operation object of a route. */
function describeOperation(route: RouteDescription) {
  const { method, path, tag, summary, query, headers, body, example, uploads, answer, streams, isPublic } = route;
  const { stream = FRAME_STREAM, errorFormat = PROBLEM_FORMAT } = route;
  const streamed = { schema: { type: "string", description: stream.description }, example: stream.example };
  const content = {
    ...(answer.schema === null
      ? {}
      : describeContent(toJsonSchema(answer.schema, "output"), answer.example, answer.type)),
    ...(streams ? { "text/event-stream": streamed } : {}),
  };
  return {
    operationId: formatOperationId(method, path),
    tags: [tag],
    summary,
    ...(isPublic === true ? { security: [] } : {}),
    parameters: [
      ...listPathParameters(path),
      ...(query === null ? [] : listQueryParameters(query)),
      ...Object.entries(headers ?? {}).map(([name, description]) => describeHeaderParameter(name, description)),
    ],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: describeContent(toJsonSchema(body, "input"), example) } }),
    ...(uploads === undefined ? {} : { requestBody: { required: true, content: uploads } }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.headers === undefined ? {} : { headers: describeHeaders(answer.headers) }),
        ...(Object.keys(content).length === 0 ? {} : { content }),
      },
      default: { $ref: `#/components/responses/${errorFormat.name}` },
    },
  };
}

/** Derives the operation id: `get /api/v1/conversations/{id}/events` becomes `getConversationsByIdEvents`. */
function formatOperationId(method: string, path: string): string {
  const words =
    path
      .replace(/^\/api\/v1/, "")
      .replaceAll(/\{(\w)/g, "by-{$1")
      .match(/\w+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** The webhook that reports the run of a schedule. */
const RUN_WEBHOOK = {
  operationId: "scheduleRun",
  tags: ["Schedules"],
  summary: "Report the end of a schedule run",
  security: [],
  parameters: [
    describeHeaderParameter("webhook-id", "The id of the run. Every attempt has the same id; process it only once."),
    describeHeaderParameter("webhook-timestamp", "The time of the attempt, in seconds since the epoch."),
    describeHeaderParameter(
      "webhook-signature",
      "`v1,` and the signature, as defined by https://www.standardwebhooks.com.",
    ),
  ],
  requestBody: { required: true, content: describeContent(toJsonSchema(scheduleRunReportSchema, "output")) },
  responses: {
    "2XX": { description: "The report was received. After any other status except 410, it is sent again later" },
    "410": { description: "The receiver unsubscribes: no further reports are sent" },
  },
};

/** The stream of routes that do not describe another one. */
const FRAME_STREAM = {
  description: "Server-sent events: `id` is the `seq`, `data` is a Frame.",
  example: `id: 4\ndata: {"seq":4,"event":"message_chunk","data":{…}}\n\n`,
};

/** The error format of routes that do not describe another one. */
const PROBLEM_FORMAT: ErrorFormat = {
  name: "Problem",
  description: "An error as problem details (RFC 9457)",
  schema: problemDetailsSchema,
  example: {
    type: "about:blank",
    title: "not found",
    status: FAULT_STATUS.not_found,
    code: "not_found",
    detail: "Conversation not found.",
  },
};

/** Headers of error responses. */
const ERROR_HEADERS = {
  "Retry-After": "Seconds after which a retry may succeed. Sent with 429, and with 503 if the time is known.",
  "WWW-Authenticate": "The authentication scheme. Sent with 401.",
};

/** Returns the Response object of an error format. */
function describeErrorResponse({ name, description, schema, example }: ErrorFormat): OpenApiObject {
  const type = name === PROBLEM_FORMAT.name ? "application/problem+json" : "application/json";
  const content = describeContent(toJsonSchema(schema, "output"), example, type);
  return { description, headers: describeHeaders(ERROR_HEADERS), content };
}

/** Returns the Header objects for descriptions by header name. */
function describeHeaders(headers: Readonly<Record<string, string>>): OpenApiObject {
  const entries = Object.entries(headers).map(([name, description]) => {
    return [name, { description, schema: { type: "string" } }] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the parameters in braces of a path. */
function listPathParameters(path: string): OpenApiObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** Returns the parameters of a query. They are described by the type that they are parsed to. */
function listQueryParameters(query: z.ZodObject): OpenApiObject[] {
  const { properties = {} } = toJsonSchema(query, "output") as { properties?: Record<string, OpenApiObject> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

function describeHeaderParameter(name: string, description: string): OpenApiObject {
  return { name, in: "header", description, schema: { type: "string" } };
}

/** Returns a map of one media type with its schema and example. */
function describeContent(schema: OpenApiObject, example?: unknown, type = "application/json"): OpenApiObject {
  return { [type]: { schema, ...(example === undefined ? {} : { example }) } };
}

/** Returns the schemas of all components without their `$id` and `$schema`. */
function buildComponents(): OpenApiObject {
  const { schemas } = z.toJSONSchema(COMPONENT_SCHEMAS, { ...getConversionOptions("output"), uri: formatReference });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $id: _, $schema: __, ...schema }]) => [id, schema]));
}

/** Converts a zod schema to JSON Schema, in which components are references. */
function toJsonSchema(schema: z.core.$ZodType, io: SchemaDirection): OpenApiObject {
  const component = COMPONENT_SCHEMAS.get(schema);
  if (component !== undefined) return { $ref: formatReference(component.id) };
  const {
    $schema: _,
    $defs: __,
    ...rest
  } = z.toJSONSchema(schema, { ...getConversionOptions(io), metadata: COMPONENT_SCHEMAS });
  return JSON.parse(JSON.stringify(rest).replaceAll(`"#/$defs/`, `"${formatReference("")}`)) as OpenApiObject;
}

function formatReference(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Returns the options of the conversion to JSON Schema. */
function getConversionOptions(io: SchemaDirection) {
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
