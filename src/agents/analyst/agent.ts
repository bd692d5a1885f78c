// The analyst as a Worker entrypoint. It is an A2A agent (`serveAgent`), and over RPC it serves the analysis endpoints
// (`AnalystApi`). The methods of the class are the RPC contract with `http/analysis.ts`. Each call builds its own
// context from the environment and the user; the class itself holds no state.
//
// Failures cross RPC as a `Result`: a `Fault` becomes a value, and unexpected errors are logged here.

import { createModel } from "../../models/model.ts";
import { dataOf, type RemoteData } from "../../datasets/data.ts";
import type {
  AnalysisReply,
  AnalysisRequest,
  AnalystApi,
  PageRequest,
  WorkflowReply,
  WorkflowRequest,
} from "../../protocol/analysis.ts";
import type { PagesApi } from "../../protocol/pages.ts";
import { answering, type Result } from "../../protocol/result.ts";
import { settingsOf } from "../../settings.ts";
import { serveAgent } from "../kit/serve.ts";
import { analyst, type Surroundings } from "./analyst.ts";
import { toolsOver } from "./data-tools.ts";
import { converseFor, generateFor, planFor, refreshFor, type Office } from "./endpoints.ts";
import { libraryOf } from "./library.ts";

type Variables = Readonly<Record<string, unknown>>;
type Libraries = { getByName(name: string): unknown };

const answer = answering((thrown) => console.error("A call of the analyst failed", thrown));

const Served = serveAgent(
  analyst(({ metadata }, env) => (metadata.user_id === undefined ? null : ownedBy(metadata.user_id, env))),
);

/**
 * The RPC methods take the user's id first. They return a `Result` and do not throw. `generate` and `refresh` return a
 * stream of NDJSON page events.
 */
export class Analyst extends Served implements AnalystApi {
  converse(user: string, request: AnalysisRequest): Promise<Result<AnalysisReply>> {
    return answer(() => converseFor(officeOf(user, this.env), request));
  }

  plan(user: string, request: WorkflowRequest): Promise<Result<WorkflowReply>> {
    return answer(() => planFor(officeOf(user, this.env), request));
  }

  generate(user: string, request: PageRequest): Promise<Result<ReadableStream<Uint8Array>>> {
    return answer(() => generateFor(officeOf(user, this.env), request));
  }

  refresh(user: string, pageId: string): Promise<Result<ReadableStream<Uint8Array>>> {
    return answer(() => refreshFor(officeOf(user, this.env), pageId));
  }
}

/** Builds the context of one RPC call: the user's data and pages, the settings and a model client. */
function officeOf(user: string, env: Variables): Office {
  const settings = settingsOf(env);
  return { ...ownedBy(user, env), settings, model: createModel(settings) };
}

/** U1. Returns the data tools and the pages of one user. Both come from the Durable Object named after the user. */
function ownedBy(user: string, env: Variables): Surroundings {
  const stub = (env["LIBRARY"] as Libraries).getByName(user) as PagesApi & RemoteData;
  return { tools: toolsOver(dataOf(stub)), library: libraryOf(stub) };
}
