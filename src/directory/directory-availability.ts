import { Fault } from "../protocol/wire/fault.ts";

const UNAVAILABLE_MESSAGE = "The directory cannot be reached right now. Conversations go on; please try again.";

/** Awaits a directory query. Throws `unavailable` if it fails: for data that only the directory has. */
export async function requireDirectory<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    throw new Fault("unavailable", UNAVAILABLE_MESSAGE, { cause });
  }
}
