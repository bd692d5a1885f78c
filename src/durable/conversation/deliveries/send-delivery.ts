// One attempt to send a delivery. Signatures follow Standard Webhooks.

import { signWebhook, type WebhookMessage } from "../../../core/schedules/webhook-signature.ts";
import { discardBody, type HttpFetcher } from "../../../dispatch/agent-http.ts";
import { createMessage, type Message } from "../../../language/messages.ts";
import { assertNever } from "../../../lib/assert.ts";
import { findAddressProblem, type HostResolver } from "../../../lib/urls/address-problem.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { listSealingSecrets, type Settings } from "../../../settings.ts";
import { unsealEndpoint, unsealPushHeaders } from "./sealed-receiver.ts";
import type { DeliveryReceiver, PendingDelivery } from "./webhook-store.ts";

const SECOND = 1_000;
const ATTEMPT_TIMEOUT_MS = 15 * SECOND;
/** The longest delay that a receiver may request. */
const MAX_DELAY_MS = 24 * 60 * 60 * SECOND;

/** The outcome of one attempt. `waitMs` is the delay that the receiver requested. */
export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly error: Message; readonly waitMs: number };

/** Rejects with `invalid_request` and the field if deliveries may not go to the URL. */
export async function checkReceiverUrl(
  url: string,
  field: string,
  settings: Settings,
  resolveHost: HostResolver,
): Promise<void> {
  const problem = await findReceiverProblem(url, settings, resolveHost);
  if (problem !== undefined)
    throw createFault("invalid_request", createMessage("field.invalid", { field, problem }), { field });
}

function findReceiverProblem(url: string, settings: Settings, resolveHost: HostResolver): Promise<Message | undefined> {
  return findAddressProblem(new URL(url), { allowPrivate: settings.ALLOW_PRIVATE_AGENTS, resolveHost });
}

type Attempt = {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly userId: string;
  readonly settings: Settings;
  readonly caller: HttpFetcher;
  readonly resolveHost: HostResolver;
};

/** Makes one attempt. A network error or a timeout is a failed outcome. */
export async function sendDelivery(
  receiver: DeliveryReceiver,
  { id, body }: PendingDelivery,
  { now, userId, settings, caller, resolveHost }: Attempt,
): Promise<DeliveryOutcome> {
  const problem = await findReceiverProblem(receiver.url, settings, resolveHost);
  if (problem !== undefined) return createFailure(problem);
  const receiverHeaders = await createReceiverHeaders(
    receiver,
    { id, at: now, body },
    userId,
    listSealingSecrets(settings),
  );
  if (receiverHeaders === null) return createFailure(createMessage("webhook.secretUnreadable"));
  const headers = { "content-type": "application/json", "user-agent": "orrery", ...receiverHeaders };
  const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  try {
    const init: RequestInit = { method: "POST", headers, body, redirect: "manual", signal };
    const response = await caller.fetch(receiver.url, init);
    discardBody(response);
    return classifyResponse(response, now);
  } catch {
    return createFailure(
      signal.aborted
        ? createMessage("webhook.timedOut", { seconds: ATTEMPT_TIMEOUT_MS / SECOND })
        : createMessage("webhook.unreachable"),
    );
  }
}

/** Returns the headers that identify and authorize a delivery; null if the secrets of the receiver cannot be unsealed. */
async function createReceiverHeaders(
  receiver: DeliveryReceiver,
  message: WebhookMessage,
  userId: string,
  secrets: readonly string[],
): Promise<Record<string, string> | null> {
  switch (receiver.kind) {
    case "webhook": {
      const secret = await unsealEndpoint(receiver, userId, secrets);
      return secret === null ? null : signWebhook(secret, message);
    }
    case "push": {
      const headers = await unsealPushHeaders(receiver, userId, secrets);
      return headers === null ? null : { "webhook-id": message.id, ...headers };
    }
    default:
      return assertNever(receiver);
  }
}

function classifyResponse({ ok, status, headers }: Response, now: number): DeliveryOutcome {
  if (ok) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  if (status >= 300 && status < 400) {
    return createFailure(createMessage("webhook.redirected", { status }));
  }
  return createFailure(createMessage("webhook.failed", { status }), parseRetryAfter(headers.get("retry-after"), now));
}

function createFailure(error: Message, waitMs = 0): DeliveryOutcome {
  return { kind: "failed", error, waitMs };
}

/** Parses `Retry-After` (RFC 9110, 10.2.3), seconds or a date, to ms; 0 if missing or invalid. */
function parseRetryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_DELAY_MS);
}
