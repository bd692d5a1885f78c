// Guesses over HTTP, derived from the descriptions of the routes: ids in paths, bodies, queries and headers.

import { formerDatasetOperations } from "../../../src/http/api/datasets.ts";
import { listOperations } from "../../../src/http/api/operations.ts";
import { routeDescriptions } from "../../../src/http/http-app.ts";
import { replyWithRoute, scriptAnalysis } from "../../support/analysis-script.ts";
import { createConversation } from "../doors.ts";
import { sendHttp, type Guess, type Guesser } from "./guess.ts";
import { fillPath, getMemberKind, getPathKinds, listReferences } from "./references.ts";

/** A route that is read with a secret instead of an account, and one that needs a socket. */
const OTHER_ROUTES = ["get /shared/{token}", "get /api/v1/conversations/{id}/ws"];

type Route = Pick<
  (typeof routeDescriptions)[number],
  "method" | "path" | "query" | "body" | "example" | "streams" | "headers"
>;
const FORMER_ROUTES = listOperations(formerDatasetOperations).map(([, { endpoint }]): Route => ({
  method: endpoint.method,
  path: endpoint.path,
  query: null,
  body: null,
  streams: false,
}));

/** Bodies for references inside a body, and in place of examples that refer to something. */
export const BODIES: Readonly<Record<string, (id: string, guesser: Guesser) => object>> = {
  "post /api/v1/datasets/{id}/query dataset": (dataset) => ({ join: [{ dataset, on: [{ left: "n", right: "n" }] }] }),
  "post /api/conversation conversationId": (conversationId, { setup: { model } }) => {
    const routes = [replyWithRoute("chat_smalltalk"), replyWithRoute("chat")];
    return { message: `Hi ${scriptAnalysis(model, routes)}`, teacherId: "t-001", conversationId };
  },
};

export function listHttpGuesses(): Guess[] {
  return [...routeDescriptions, ...FORMER_ROUTES].flatMap((route) => {
    const place = `${route.method} ${route.path}`;
    if (OTHER_ROUTES.includes(place)) return [];
    const accepts = route.streams ? ["application/json", "text/event-stream"] : ["application/json"];
    const method = route.method.toUpperCase();
    const inPath = (getPathKinds(route.path) ?? []).flatMap((kind) =>
      accepts.map((accept): Guess => ({
        door: "HTTP",
        operation: place,
        form: `${kind}, ${accept}`,
        send: (guesser, ids) =>
          sendHttp(guesser, {
            method,
            path: fillPath(route.path, ids[kind], guesser.own),
            body: route.example,
            headers: { accept },
          }),
      })),
    );
    return [...inPath, ...listHeaderGuesses(route), ...listMemberGuesses(route)];
  });
}

function listHeaderGuesses({ method, path, headers = {}, example }: Route): Guess[] {
  const named = Object.keys(headers).filter((header) => header.endsWith("conversation"));
  return named.map((header) => ({
    door: "HTTP",
    operation: `${header} of ${method} ${path}`,
    send: (guesser, ids) =>
      sendHttp(guesser, { method: method.toUpperCase(), path, body: example, headers: { [header]: ids.conversation } }),
  }));
}

function listMemberGuesses({ method, path, query, body, example, streams }: Route): Guess[] {
  const place = `${method} ${path}`;
  const inBody = listReferences(body);
  const members = [...inBody.top, ...inBody.inner].map((member) => [member, "body"] as const);
  const parameters = listReferences(query).top.map((member) => [member, "query"] as const);
  return [...members, ...parameters].flatMap(([member, part]): Guess[] => {
    const kind = getMemberKind(place, member);
    if (kind === null) return [];
    const createBody = BODIES[`${place} ${member}`];
    const isInner = part === "body" && createBody === undefined && !inBody.top.includes(member);
    // A template may name agents that exist later, so it is not refused.
    if (isInner && member !== "agent_id") throw new Error(`How does ${place} refer by ${member}?`);
    const send: Guess["send"] = async (guesser, ids) => {
      const { setup, name } = guesser;
      // An open question would take the message as its answer.
      const fresh = member === "agent" ? { conversation: await createConversation(setup, name) } : {};
      const own = { ...guesser.own, ...fresh };
      const [ownKind] = getPathKinds(path) ?? [];
      const address = ownKind === undefined ? path : fillPath(path, own[ownKind], own);
      const id = ids[kind];
      const change = isInner ? {} : { [member]: id };
      return sendHttp(guesser, {
        method: method.toUpperCase(),
        path: part === "query" ? `${address}?${member}=${id}` : address,
        body:
          part === "query"
            ? undefined
            : (createBody?.(id, guesser) ?? { ...renameAgents(example, isInner ? id : null), ...change }),
        headers: { accept: streams ? "text/event-stream" : "application/json" },
      });
    };
    return [{ door: "HTTP", operation: `${member} of ${place}`, send }];
  });
}

/** Replaces the agents of the listeners in a template, and its id. */
function renameAgents(example: object | undefined, agent: string | null): object {
  if (agent === null || example === undefined) return example ?? {};
  const text = JSON.stringify(example).replaceAll(/"agent_id":"[^"]*"/g, `"agent_id":"${agent}"`);
  return { ...(JSON.parse(text) as object), plan_id: undefined };
}
