// Faults that only some clients or some messages meet: tickets, repeated and continued requests, notifications, long
// texts, notes of strangers, threads that must wait. The kills in `chaos.ts` must find them.

import { createPatcher, type Bug } from "./bugs.ts";

const patchTicketStore = createPatcher("src/durable/conversation/storage/ticket-store.ts");
const patchRepeatedCommand = createPatcher("src/durable/conversation/repeated-command.ts");
const patchJournal = createPatcher("src/durable/conversation/threads/journal.ts");
const patchLogSequencer = createPatcher("src/core/log/log-sequencer.ts");
const patchDeliveryQueue = createPatcher("src/durable/conversation/deliveries/delivery-queue.ts");
const patchAccept = createPatcher("src/durable/conversation/accept.ts");
const patchResponses = createPatcher("src/http/openai/responses.ts");
const patchMessages = createPatcher("src/http/api/messages.ts");
const patchToolLoopState = createPatcher("src/agents/kit/tools/tool-loop-state.ts");
const patchThreadSupervisor = createPatcher("src/durable/conversation/threads/thread-supervisor.ts");

export const BUGS_OF_CLIENTS: readonly Bug[] = [
  {
    name: "spend a ticket in memory only",
    patches: [
      patchTicketStore(
        "const query = `DELETE FROM ticket WHERE hash = ? RETURNING task, expires_at, until`;",
        `const spent = (globalThis.spentTickets ??= new Set());
         if (spent.has(hash)) return null;
         spent.add(hash);
         const query = \`SELECT task, expires_at, until FROM ticket WHERE hash = ?\`;`,
      ),
    ],
    visits: 0,
    guests: 0,
  },
  {
    name: "accept another message under a known id",
    patches: [
      patchRepeatedCommand(`if (known === null || isSame(known.request, known)) return known;`, `return known;`),
    ],
  },
  {
    name: "read only the first part of a long step",
    patches: [patchJournal(`const next = this.#getPart(formatPartName(name, part));`, `const next = null;`)],
    longs: 0.3,
  },
  {
    name: "leave the beginning of a long paragraph out of its rows",
    patches: [
      patchLogSequencer(
        `else if (paragraph.chars >= MAX_SEGMENT_CHARS) rows.push(...takeSegment(paragraph));`,
        `else if (paragraph.chars >= MAX_SEGMENT_CHARS) takeSegment(paragraph);`,
      ),
    ],
  },
  {
    name: "give up a delivery after one failed attempt",
    patches: [
      patchDeliveryQueue(
        `const delay = DELAYS_MS[before];`,
        `const delay = before === 0 ? undefined : DELAYS_MS[before];`,
      ),
    ],
    visits: 1,
    guests: 0,
    kills: 60,
  },
  {
    name: "register a push URL after the acknowledgement",
    patches: [
      patchAccept(
        `if (preparedPush !== undefined) pushes.put(position.thread_id, preparedPush);`,
        `if (preparedPush !== undefined) setTimeout(() => pushes.put(position.thread_id, preparedPush), 40);`,
      ),
    ],
    visits: 1,
    guests: 0,
    kills: 100,
  },
  {
    name: "ignore the key of a response that continues another",
    patches: [
      patchResponses(
        `commandKey: readIdempotencyKey(context.req.raw),`,
        `commandKey: conversation === null ? readIdempotencyKey(context.req.raw) : undefined,`,
      ),
    ],
    visits: 0,
    guests: 1,
  },
  {
    name: "name the conversation of a keyed request at random",
    patches: [patchMessages(`command === undefined ? createId("conv")`, `command !== null ? createId("conv")`)],
    visits: 0,
    guests: 1,
  },
  {
    name: "take restored results of tools for words of the person",
    patches: [
      patchToolLoopState(
        `const { messages, open: pendingCalls, used: usage, has_spoken } = stored;`,
        `const { open: pendingCalls, used: usage, has_spoken } = stored;
         const messages = stored.messages.map((message) =>
           message.role === "tool" ? { ...message, by: { kind: "person" } } : message);`,
      ),
    ],
    visits: 0,
    guests: 0,
  },
  {
    name: "forget a waiting thread after its alarm",
    patches: [
      patchThreadSupervisor(
        `const next = Math.min(until ?? Infinity, this.#getNextWake());`,
        `const next = Math.min(until ?? Infinity, this.questions.getNextExpiry());`,
      ),
    ],
    visits: 0,
    guests: 0,
    stalls: 1,
  },
];
