/** Creates reproducible pseudo-random numbers (mulberry32). */
export type RandomSource = {
  /** Returns an integer below `n`. */
  int(n: number): number;
  pick<T>(list: readonly T[]): T;
};

export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  const int = (n: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
  return { int, pick: (list) => list[int(list.length)] as (typeof list)[number] };
}
