// I30: every fault of a model endpoint ends in time, with a code, a bounded number of requests and a sentence for the
// reader, in both languages. `test/e2e/model-faults.test.ts` shows that the sentence reaches the reader.

import { expect, test } from "vitest";
import { createMessage, formatMessage } from "../../src/language/messages.ts";
import { describeError } from "../../src/protocol/wire/message-error.ts";
import { CONTENT_FAULTS } from "./answer-faults.ts";
import { CONNECTION_FAULTS, STATUS_FAULTS } from "./endpoint-faults.ts";
import { REPORTED_FAULTS } from "./reported-faults.ts";
import { callForFault, KEY } from "./scripted-endpoint.ts";

/** The silence of a call is 0.3 s. Two retries wait at most 1.5 s; the rest is room for the load of the machine. */
const MAX_CALL_MS = 5_000;

const FAULTS = [...STATUS_FAULTS, ...CONNECTION_FAULTS, ...CONTENT_FAULTS, ...REPORTED_FAULTS].map(
  ([what, script, code, attempts, says, streamed = ""]) => ({ what, script, code, attempts, says, streamed }),
);

test.concurrent.each(FAULTS)(
  "[I30] an endpoint that $what ends in words and in time",
  async ({ script, code, attempts, says, streamed }) => {
    const startedAt = Date.now();
    const failed = await callForFault(script);
    expect(Date.now() - startedAt).toBeLessThan(MAX_CALL_MS);
    const sentence = typeof says === "string" ? createMessage(says) : says;
    // An answer that is too long would be too long again.
    const retryable = code === "model_interrupted" || (code === "model_malformed" && !sentence.key.endsWith("TooLong"));
    expect(failed).toMatchObject({ code, attempts, retryable, streamed });
    for (const language of ["en", "zh"] as const)
      expect(describeError(failed.fault, language)).toBe(formatMessage(language, sentence));
    expect(failed.fault.message).toMatch(/^[A-Z].*\.$/);
    expect(failed.fault.message + String(failed.fault.cause)).not.toContain(KEY);
  },
);
