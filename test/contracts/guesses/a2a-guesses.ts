// Guesses over both bindings of A2A: every method, at the endpoint of the runtime and at those of agents.

import { METHOD_ROUTES } from "../../../src/a2a/http-json.ts";
import { PARAMS_BY_METHOD } from "../../../src/a2a/validate-params.ts";
import type { OwnedIds } from "../owned-data.ts";
import { scriptAnswer } from "../setup.ts";
import { sendHttp, type Guess } from "./guess.ts";

const getTaskId = ({ conversation, thread }: OwnedIds) => `${conversation}.${thread}`;
const RECEIVER = "http://127.0.0.1:9/";

/** The parameters of the methods of A2A with a reference. Each method is in this table, or in the table of those without. */
const A2A_PARAMS: Readonly<
  Record<string, readonly ((ids: OwnedIds, text: string) => Readonly<Record<string, unknown>>)[]>
> = {
  ...Object.fromEntries(
    ["SendMessage", "SendStreamingMessage"].map((method) => [
      method,
      [
        (ids: OwnedIds) => ({
          message: { messageId: "m", role: "ROLE_USER", taskId: getTaskId(ids), parts: [{ text: "20" }] },
        }),
        (ids: OwnedIds) => ({
          message: {
            messageId: "m",
            role: "ROLE_USER",
            taskId: getTaskId(ids),
            contextId: ids.conversation,
            parts: [{ text: "20" }],
          },
        }),
        (ids: OwnedIds, text: string) => ({
          message: {
            messageId: crypto.randomUUID(),
            role: "ROLE_USER",
            referenceTaskIds: [getTaskId(ids)],
            parts: [{ text }],
          },
          configuration: { returnImmediately: true },
        }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    ["message/send", "message/stream"].map((method) => [
      method,
      [
        (ids: OwnedIds) => ({
          message: {
            kind: "message",
            messageId: "m",
            role: "user",
            taskId: getTaskId(ids),
            parts: [{ kind: "text", text: "20" }],
          },
        }),
      ],
    ]),
  ),
  ...Object.fromEntries(
    [
      "GetTask",
      "CancelTask",
      "SubscribeToTask",
      "tasks/get",
      "tasks/cancel",
      "tasks/resubscribe",
      "tasks/pushNotificationConfig/list",
    ].map((method) => [
      method,
      [(ids: OwnedIds) => ({ id: getTaskId(ids) }), (ids: OwnedIds) => ({ id: ids.conversation })],
    ]),
  ),
  ListTasks: [(ids) => ({ contextId: ids.conversation }), (ids) => ({ contextId: ids.sub })],
  CreateTaskPushNotificationConfig: [(ids) => ({ taskId: getTaskId(ids), url: RECEIVER })],
  GetTaskPushNotificationConfig: [(ids) => ({ taskId: getTaskId(ids), id: "c" })],
  DeleteTaskPushNotificationConfig: [(ids) => ({ taskId: getTaskId(ids), id: "c" })],
  ListTaskPushNotificationConfigs: [(ids) => ({ taskId: getTaskId(ids) })],
  "tasks/pushNotificationConfig/set": [
    (ids) => ({ taskId: getTaskId(ids), pushNotificationConfig: { url: RECEIVER } }),
  ],
  "tasks/pushNotificationConfig/get": [(ids) => ({ id: getTaskId(ids), pushNotificationConfigId: "c" })],
  "tasks/pushNotificationConfig/delete": [(ids) => ({ id: getTaskId(ids), pushNotificationConfigId: "c" })],
  GetExtendedAgentCard: [() => ({})],
};

/** The paths at which an endpoint of A2A is: that of the runtime, and that of an agent. */
const A2A_BASES: readonly ((ids: OwnedIds) => string)[] = [
  () => "/a2a",
  () => "/a2a/assistant",
  ({ agent }) => `/a2a/${agent}`,
];

export function listA2AGuesses(): Guess[] {
  const missing = [...PARAMS_BY_METHOD.keys()].filter((method) => A2A_PARAMS[method] === undefined);
  if (missing.length > 0) throw new Error(`What do the parameters of ${missing.join(", ")} name?`);
  return Object.entries(A2A_PARAMS).flatMap(([method, forms]) =>
    forms.flatMap((createParams, form) =>
      A2A_BASES.flatMap((getBase, base) => {
        const headers = { "a2a-version": method.includes("/") ? "0.3" : "1.0" };
        const overRpc: Guess = {
          door: "A2A",
          operation: method,
          form: `${form} at base ${base}`,
          send: (guesser, ids) => {
            const params = createParams(ids, scriptAnswer(guesser.setup, "Hi.").message);
            return sendHttp(guesser, {
              method: "POST",
              path: getBase(ids),
              body: { jsonrpc: "2.0", id: 1, method, params },
              headers,
            });
          },
        };
        const routes = METHOD_ROUTES.filter(([, , name]) => name === method);
        return [
          overRpc,
          ...routes.map(([verb, pattern]) =>
            createHttpGuess(verb, pattern, method, { createParams, form, getBase, base }),
          ),
        ];
      }),
    ),
  );
}

type A2AForm = {
  readonly createParams: (ids: OwnedIds, text: string) => Readonly<Record<string, unknown>>;
  readonly form: number;
  readonly getBase: (ids: OwnedIds) => string;
  readonly base: number;
};

/** Creates the call of a method over HTTP+JSON, with the parameters that are not in its path in its body or query. */
function createHttpGuess(
  verb: string,
  pattern: RegExp,
  method: string,
  { createParams, form, getBase, base }: A2AForm,
): Guess {
  return {
    door: "A2A over HTTP+JSON",
    operation: `${verb} ${method}`,
    form: `${form} at base ${base}`,
    send: (guesser, ids) => {
      const params = createParams(ids, scriptAnswer(guesser.setup, "Hi.").message);
      const path = pattern.source
        .replaceAll(/^\^|\$$|\\/g, "")
        .replaceAll(/\(\?<(\w+)>[^)]*\)/g, (_, name: string) => String(params[name]));
      const query = verb === "GET" && method === "ListTasks" ? `?contextId=${String(params["contextId"])}` : "";
      return sendHttp(guesser, {
        method: verb,
        path: getBase(ids) + path + query,
        body: verb === "POST" ? params : undefined,
        headers: { "a2a-version": "1.0" },
      });
    },
  };
}
