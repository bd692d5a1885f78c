// Payment for joined texts.
//
// The engine joins lazily: a joined text refers to its parts (a rope) until its content is read; then the engine copies
// it once. Copies must be paid, but a program that appends in a loop and reads once must not pay for each append.
// Module state: for each length, the number of joined texts whose copy nobody has paid for.
// - A join increments the counter of the length of its result.
// - A read of a text of that length pays for one copy and decrements the counter, whichever text it is.
// - At most as many texts of a length can be copied as were joined, so no copy remains unpaid, and no join is paid
//   twice.
// Call `read` before the content of a text is used, and `joinTexts` or `Rope` instead of `+`.

import { LIMITS } from "../sandbox-limits.ts";
import { abortCall, spend } from "./step-budget.ts";

/** Shorter texts cost nothing to read; they are paid when they are created. */
export const SHORT_TEXT = 64;
/** The engine copies shorter texts immediately. */
export const TINY_TEXT = 12;

/** Bytes per copied character: two that remain, and one for the young generation of the heap. */
export const COPY_BYTES = 3;

/** The number of unpaid joins by length. */
const unpaidJoins = new Uint32Array(LIMITS.text + 1);

/** Ends the call if a text is longer than the limit. */
export function checkTextLength(length: number): void {
  if (!(length <= LIMITS.text)) abortCall(`It makes a text of more than ${LIMITS.text} characters`);
}

/** Joins two texts without counting the join. */
function concatenate(a: string, b: string): string {
  checkTextLength(a.length + b.length);
  spend(32);
  return a + b;
}

/** Counts the join that created a text. */
function recordJoin(made: string): string {
  const { length } = made;
  if (length > SHORT_TEXT) unpaidJoins[length] = (unpaidJoins[length] as number) + 1;
  else if (length > TINY_TEXT) spend(16 + length * 2);
  return made;
}

/** Joins two texts. */
export function joinTexts(a: string, b: string): string {
  const made = concatenate(a, b);
  return a === "" || b === "" ? made : recordJoin(made);
}

/** Joins many texts. The intermediate texts are not read by anybody, so only the final one is counted. */
export class Rope {
  private text = "";
  private isJoined = false;

  add(part: string): void {
    if (this.text !== "" && part !== "") this.isJoined = true;
    this.text = concatenate(this.text, part);
  }

  toText(): string {
    return this.isJoined ? recordJoin(this.text) : this.text;
  }
}

/** Returns a value whose content is about to be read, and pays for the copy if it is a text that may be a rope. */
export function read<T>(value: T): T {
  if (typeof value === "string" && value.length > SHORT_TEXT && (unpaidJoins[value.length] as number) > 0)
    payCopies(value.length, 1);
  return value;
}

/** Pays for reading up to `maximum` texts of one length. */
export function payCopies(length: number, maximum: number): void {
  // Arguments of the call may be longer than the table.
  const found = length > SHORT_TEXT ? (unpaidJoins[length] ?? 0) : 0;
  const count = found < maximum ? found : maximum;
  if (count === 0) return;
  // Pay first: a stack overflow in between must not make the copies free.
  spend(count * length * COPY_BYTES);
  unpaidJoins[length] = found - count;
}

/** Pays for one pass over a text. */
export function payText(value: string): void {
  if (value.length > SHORT_TEXT) spend(read(value).length >> 1);
}

/** Pays for a comparison of two texts. */
export function payComparison(a: string, b: string): void {
  read(a);
  read(b);
  const { length } = a.length < b.length ? a : b;
  if (length > SHORT_TEXT) spend(length >> 1);
}
