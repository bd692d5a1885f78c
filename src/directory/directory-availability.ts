import { createFault } from "../protocol/wire/message-error.ts";

/** Awaits a directory query. Throws `unavailable` if it fails: for data that only the directory has. */
export async function requireDirectory<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    throw createFault("unavailable", "directory.unavailable", { cause });
  }
}
