import { createLazyComponent } from "../ui/lazy-component.tsx";

/** The open dialog. Keys that are pressed before its script is loaded are lost. */
export const LazyOpenDialog = createLazyComponent(() =>
  import("./dialogs/open-dialog.tsx").then((script) => script.OpenDialog),
);
