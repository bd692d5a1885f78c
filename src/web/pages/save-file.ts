/** Downloads a text as a file. Characters that file systems reject are replaced. */
export function saveFile(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[/\\?%*:|"<>]/g, "-");
  link.click();
  // The browser reads the blob asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
