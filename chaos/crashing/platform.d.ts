// Declares a platform function that the types lack. It ends the isolate; locally, that is the whole process.

export {};

declare module "cloudflare:workers" {
  export function abortIsolate(reason?: string): never;
}
