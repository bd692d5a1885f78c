// Opens sockets with a ticket while the host is killed: a ticket that was issued opens a socket, and only one (U1).

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { SocketTicket } from "../src/protocol/wire/http-responses.ts";
import { createApiUser } from "../test/support/api-user.ts";
import { randomBetween } from "../test/support/random.ts";
import type { Breach } from "./breach.ts";
import type { Lane } from "./lane.ts";
import { insist } from "./requests.ts";

/** `lost`: the host died, so the ticket may have been used or not. */
type Outcome = "opened" | "refused" | "lost";

/** Tickets are valid for 30 s. A client that needs longer proves nothing. */
const VALID_MS = 25_000;
const PAUSE_MS = 120;

/** Uses one ticket until it is refused, and returns the violations. */
export async function useTicket(lane: Lane, conversationId: string): Promise<Breach[]> {
  const issue = async () =>
    (await createApiUser(lane.url).request("POST", "/api/v1/tickets", { conversation_id: conversationId })).json();
  const until = performance.now() + VALID_MS;
  const { ticket } = (await insist(issue, lane.abandoned)) as SocketTicket;
  const address = `${lane.url.replace("http", "ws")}/api/v1/conversations/${conversationId}/ws?ticket=${ticket}`;
  const outcomes: Outcome[] = [];
  while (outcomes.at(-1) !== "refused" && performance.now() < until) {
    if (lane.random() < 0.3) lane.hurry();
    await Promise.race([sleep(randomBetween(lane.random, 1, PAUSE_MS)), lane.abandoned]);
    outcomes.push(await tryTicket(address));
    if (outcomes.filter((outcome) => outcome === "opened").length > 1)
      return [{ rule: "U1", words: `One ticket opened two sockets: ${outcomes.join()}`, seqs: [] }];
  }
  if (outcomes[0] !== "refused" || performance.now() >= until) return [];
  return [{ rule: "U1", words: "A ticket was refused before it was used", seqs: [] }];
}

function tryTicket(address: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    const end = (outcome: Outcome): void => {
      resolve(outcome);
      socket.terminate();
    };
    socket.on("message", () => end("opened"));
    socket.on("unexpected-response", (_, { statusCode }) => end(statusCode === 401 ? "refused" : "lost"));
    socket.on("error", () => resolve("lost"));
    socket.on("close", () => resolve("lost"));
  });
}
