// The limits of one call. The isolate enforces them; the host checks the size of the result again.

/** The price of one byte of memory in steps. Memory costs more than time: a host fails when it runs out of memory. */
export const STEPS_PER_BYTE = 6;

/** The limits of one call; a program that exceeds one fails. */
export const LIMITS = {
  /** The length of the source in UTF-16 units. */
  source: 16_384,
  /** The depth of the syntax tree. */
  nesting: 400,
  /** The number of steps. One step is about one operation; one byte of memory costs `STEPS_PER_BYTE`. */
  steps: 900_000_000,
  /** The time in ms. */
  computing: 1_000,
  /** The length of one text in UTF-16 units. */
  text: 262_144,
  /** The number of elements of one list. */
  items: 1_200_000,
  /** The number of bits of one BigInt. */
  bits: 65_536,
  /** The length of a regular expression in UTF-16 units. */
  pattern: 2_000,
  /** The size of the result as JSON in bytes. */
  result: 65_536,
  /** The nesting of the result. */
  depth: 100,
} as const;
