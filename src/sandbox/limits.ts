// What a call may use. The isolate counts; the host looks once more at what comes out.

/** Operations are many and short; memory is what brings a host down. */
export const STEPS_PER_BYTE = 6;

export const LIMITS = {
  /** Characters of source. */
  source: 16_384,
  /** Nested levels of source. */
  nesting: 400,
  /** One step is about one operation; a byte of memory is several (`STEPS_PER_BYTE`). */
  steps: 900_000_000,
  /** Milliseconds of computing. */
  computing: 1_000,
  /** Characters of one text. */
  text: 262_144,
  /** Elements of one list. */
  items: 1_200_000,
  /** Bits of one BigInt. */
  bits: 65_536,
  /** Characters of a pattern that is made while the code runs. */
  pattern: 2_000,
  /** Bytes of the result as JSON. */
  result: 65_536,
  /** Nested levels of the result. */
  depth: 100,
} as const;
