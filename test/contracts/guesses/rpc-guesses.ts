// Guesses over RPC, derived from the table of operations.

import type { AnyOperation } from "../../../src/http/api/operation.ts";
import { listOperations } from "../../../src/http/api/operations.ts";
import { routeDescriptions } from "../../../src/http/http-app.ts";
import { callRpc } from "../doors.ts";
import type { Guess } from "./guess.ts";
import { BODIES } from "./http-guesses.ts";
import { getMemberKind, getPathKinds, listReferences } from "./references.ts";

/** Arguments over RPC after the id, where they are not the body. */
const RPC_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  setAgentEnabled: [false],
  setPlanTemplateStatus: ["draft"],
  renamePage: ["Mine now"],
  linkPage: [3_600],
  updatePlanTemplate: [null, 1],
  unlinkPage: [],
  runSchedule: [],
};

/** Returns an example of the body of an operation: its own, or that of the operation with the same endpoint. */
function getExample({ endpoint, http }: AnyOperation): object | undefined {
  const route = routeDescriptions.find(({ method, path }) => method === endpoint.method && path === endpoint.path);
  return http?.example ?? route?.example;
}

export function listRpcGuesses(): Guess[] {
  return listOperations().flatMap(([name, operation]): Guess[] => {
    const { endpoint, rpc } = operation;
    if (rpc === undefined) return [];
    const example = getExample(operation);
    const more =
      RPC_ARGUMENTS[name]?.map((value) => value ?? example) ?? (endpoint.body === undefined ? [] : [example]);
    const kinds = getPathKinds(endpoint.path);
    if (kinds === undefined) return listRpcMemberGuesses(name, operation, example);
    checkRpcArguments(name, operation, [...listPathArguments(endpoint.path), ...more]);
    return kinds.map((kind) => ({
      door: "RPC",
      operation: name,
      form: kind,
      send: ({ setup, name: user, own }, ids) =>
        callRpc(setup, name, [user, ...(kind === "link" ? [own.page] : []), ids[kind], ...more]),
    }));
  });
}

const listPathArguments = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => `<${name}>`);

/** Fails unless the arguments become a valid input with the ids in its path: another call would be refused unread. */
function checkRpcArguments(name: string, { endpoint, rpc }: AnyOperation, args: readonly unknown[]): void {
  const input = rpc?.(...args) as Readonly<Record<string, unknown>>;
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => input[parameter]);
  const isBodyValid = endpoint.body === undefined || endpoint.body.safeParse(input["body"]).success;
  if (JSON.stringify(ids) !== JSON.stringify(listPathArguments(endpoint.path)) || !isBodyValid)
    throw new Error(`Which arguments does ${name} take over RPC? ${JSON.stringify(input)}`);
}

function listRpcMemberGuesses(name: string, { endpoint, rpc }: AnyOperation, example: object | undefined): Guess[] {
  const place = `${endpoint.method} ${endpoint.path}`;
  return [...listReferences(endpoint.body).top, ...listReferences(endpoint.query).top].flatMap((member): Guess[] => {
    const kind = getMemberKind(place, member);
    if (kind === null) return [];
    if (!JSON.stringify(rpc?.({ ...example, [member]: "<id>" })).includes(`"${member}":"<id>"`))
      throw new Error(`Which arguments does ${name} take over RPC?`);
    const createBody = BODIES[`${place} ${member}`];
    const send: Guess["send"] = (guesser, ids) => {
      const body = createBody?.(ids[kind], guesser) ?? { ...example, [member]: ids[kind] };
      return callRpc(guesser.setup, name, [guesser.name, body]);
    };
    return [{ door: "RPC", operation: `${member} of ${name}`, send }];
  });
}
