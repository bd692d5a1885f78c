// The version of what travels between a server and its clients.
//
// It is raised whenever the schemas of events, frames, commands or socket messages change. The hash is the SHA-256 of
// these schemas as canonical JSON, without descriptions. `test/golden/wire-version.test.ts` computes it again and fails
// when it changes without a new version.

/** All versions, newest first. Entries are immutable; a change of the schemas adds an entry. */
export const WIRE_VERSIONS = [
  {
    version: 4,
    hash: "8a806e4d1d2c9732997c108bc011ce4ef985e70b9380860f0a194b996b3c9582",
    change: "The times of a schedule may be a single time.",
  },
  {
    version: 3,
    hash: "17a26ea517e82877bd4a29079996cec2b23e11a864eec7c2c459939c3b508b94",
    change: "A task has a criterion.",
  },
  {
    version: 2,
    hash: "a2e8127fad716aea95c5d559e8c49d6bee6e684ccd8ffbe25048144281b64e12",
    change: "An approval lists the origins of its arguments.",
  },
  {
    version: 1,
    hash: "247eb55188e56ae0197a0ee8e44ab33138f2b6299e97173b0768bd1bbf3d0016",
    change: "The first version that has a number.",
  },
] as const satisfies readonly { readonly version: number; readonly hash: string; readonly change: string }[];

export const WIRE_VERSION = WIRE_VERSIONS[0].version;
export const WIRE_HASH = WIRE_VERSIONS[0].hash;
