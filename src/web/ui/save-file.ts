/**
 * Downloads a text as a file of the MIME type `type`, in UTF-8. Characters of the name that file systems reject become
 * `-`.
 */
export function saveFile(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[/\\?%*:|"<>]/g, "-");
  link.click();
  // The browser reads the blob asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
