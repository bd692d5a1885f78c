// The two parts of a catalogue as modules; see `catalogue.ts`.

declare module "*.json?initial" {
  const part: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default part;
}

declare module "*.json?remaining" {
  const part: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default part;
}
