// The analyst as a Worker entrypoint. It is an A2A agent (`serveAgent`), and over RPC it serves the analysis endpoints
// (`AnalystApi`). The methods of the class are the RPC contract with `http/api/analysis.ts`. Each call builds
// its own context from the environment and the user; the class itself holds no state.
//
// Failures cross RPC as an `InternalResult`: a `Fault` becomes a value, and unexpected errors are logged here.

import { createModel, resolveModelName } from "../../models/create-model.ts";
import { createDatasetReader, type RemoteDatasetReader } from "../../datasets/dataset-reader.ts";
import type {
  AnalysisReply,
  AnalysisRequest,
  AnalystApi,
  PageRequest,
  BlueprintReply,
  BlueprintRequest,
} from "../../protocol/pages/analysis-api.ts";
import type { PagesApi } from "../../protocol/pages/stored-page.ts";
import { createResultWrapper, type InternalResult } from "../../protocol/wire/rpc-result.ts";
import { getSettings } from "../../settings.ts";
import { serveAgent } from "../kit/serve.ts";
import { withModel } from "../kit/with-model.ts";
import { createAnalyst, type AnalystPorts } from "./analyst.ts";
import { createDataTools } from "./data-tools.ts";
import {
  handleConversationMessage,
  generatePage,
  planWorkflow,
  refreshPage,
  type EndpointContext,
} from "./analysis-endpoints.ts";
import { createPageLibrary } from "./page-library.ts";

type AnalystEnv = Readonly<Record<string, unknown>>;
type LibraryNamespace = { getByName(name: string): unknown };

const runAsResult = createResultWrapper((thrown) => console.error("A call of the analyst failed", thrown));

const AnalystEntrypoint = serveAgent(
  withModel(
    createAnalyst(({ metadata }, env) =>
      metadata.user_id === undefined ? null : createUserPorts(metadata.user_id, env),
    ),
  ),
);

/**
 * The RPC methods take the user's id first. They never reject: a failure is the `InternalResult`. `generate` and
 * `refresh` return a stream of page events in NDJSON.
 */
export class Analyst extends AnalystEntrypoint implements AnalystApi {
  converse(user: string, request: AnalysisRequest): Promise<InternalResult<AnalysisReply>> {
    return runAsResult(() => handleConversationMessage(createEndpointContext(user, this.env), request));
  }

  plan(user: string, request: BlueprintRequest): Promise<InternalResult<BlueprintReply>> {
    return runAsResult(() => planWorkflow(createEndpointContext(user, this.env), request));
  }

  generate(user: string, request: PageRequest): Promise<InternalResult<ReadableStream<Uint8Array>>> {
    return runAsResult(() => generatePage(createEndpointContext(user, this.env), request));
  }

  refresh(user: string, pageId: string): Promise<InternalResult<ReadableStream<Uint8Array>>> {
    return runAsResult(() => refreshPage(createEndpointContext(user, this.env), pageId));
  }
}

/** Builds the context of one RPC call: the user's data and pages, and a model client. */
function createEndpointContext(userId: string, env: AnalystEnv): EndpointContext {
  const settings = getSettings(env);
  const model = createModel(settings, env);
  return { ...createUserPorts(userId, env), model, blueprintModel: resolveModelName(settings, env, "blueprint") };
}

/** Returns the data tools and pages of one user and of nobody else: both come from the Durable Object of that user. */
function createUserPorts(userId: string, env: AnalystEnv): AnalystPorts {
  const stub = (env["LIBRARY"] as LibraryNamespace).getByName(userId) as PagesApi & RemoteDatasetReader;
  return { tools: createDataTools(createDatasetReader(stub)), library: createPageLibrary(stub) };
}
