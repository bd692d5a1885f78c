// What the platform has and its types do not tell: ends the isolate, which locally is the whole process.

export {};

declare module "cloudflare:workers" {
  export function abortIsolate(reason?: string): never;
}
