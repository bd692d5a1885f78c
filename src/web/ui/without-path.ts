/** The words of a refusal without the field that they begin with, for whoever shows them at that field. */
export function withoutPath(message: string, path: string | undefined): string {
  return path !== undefined && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}
