// A tool that needs approval, in a separate Worker, called by the embedded model.

import { beforeAll, describe, expect, test, vi } from "vitest";
import { questionPayloadSchema } from "../../../src/protocol/wire/question.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";

let runtime: SharedRuntime;
let user: ApiUser;

beforeAll(async () => {
  runtime = await shareRuntime(withGuestbook());
  user = createApiUser(runtime.url);
});

async function waitForQuestion(id: string, nth: number) {
  await vi.waitFor(async () => expect(filterEvents(await user.history(id), "task_waiting")).toHaveLength(nth), 10_000);
  return questionPayloadSchema.parse(filterEvents(await user.history(id), "task_waiting").at(-1)?.payload);
}

async function requestSignature(text: string) {
  const { conversation_id: id } = await user.send(`Sign the guestbook with '${text}'`, { agent: "guestbook" });
  return { id, question: await waitForQuestion(id, 1) };
}

async function sendAnswer(id: string, body: object): Promise<void> {
  const response = await user.request("POST", `/api/v1/conversations/${id}/resume`, body);
  expect(response.status).toBe(202);
}

async function waitForResult(id: string): Promise<string> {
  await vi.waitFor(async () => expect((await user.history(id)).at(-1)?.event).toBe("done"), 10_000);
  const log = await user.history(id);
  expect(findViolations(log)).toEqual([]);
  return joinText(log);
}

async function readGuestbook(): Promise<string> {
  return joinText((await user.sendAndWait("Read the guestbook", { agent: "guestbook" })).frames);
}

describe("tool that needs approval", () => {
  test("shows its arguments and does not run when the user refuses", async () => {
    const { id, question } = await requestSignature("Refused");
    expect(question).toMatchObject({
      options: ["approve", "refuse"],
      approval: { tool: "sign_guestbook", arguments: { text: "Refused" }, parameters: { required: ["text"] } },
    });
    expect(question.content).toContain('"text": "Refused"');
    await sendAnswer(id, { message: "refuse" });
    expect(await waitForResult(id)).toBe("sign guestbook was not carried out: you refused it.");
    expect(await readGuestbook()).not.toContain("Refused");
  });

  test("runs once when the user approves, with changed arguments if the user changed them", async () => {
    const first = await requestSignature("Approved");
    await sendAnswer(first.id, { message: "approve" });
    expect(await waitForResult(first.id)).toBe("The guestbook now says: Approved");
    const second = await requestSignature("Draft");
    await sendAnswer(second.id, { message: "approve", arguments: { text: "Final" } });
    expect(await waitForResult(second.id)).toBe("The guestbook now says: Final");
    const [answered] = filterEvents(await user.history(second.id), "message");
    expect(answered?.metadata).toEqual({ request_id: second.question.request_id, arguments: { text: "Final" } });
    expect(await readGuestbook()).toBe("Approved\nFinal");
  });

  test("[H4] keeps its question over a crash of the runtime and the agent", async () => {
    const { id } = await requestSignature("After the kill");
    await runtime.kill();
    await runtime.restart();
    await sendAnswer(id, { message: "同意" });
    expect(await waitForResult(id)).toBe("The guestbook now says: After the kill");
    expect(await readGuestbook()).toBe("After the kill");
  });
});
