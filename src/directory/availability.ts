import { Fault } from "../protocol/fault.ts";

const SENTENCE = "The directory cannot be reached right now. Conversations go on; please try again.";

/** What only the directory knows cannot be had while it is down: then this throws `unavailable`. */
export async function fromDirectory<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    throw new Fault("unavailable", SENTENCE, { cause });
  }
}
