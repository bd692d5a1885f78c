/** The script of what can stand over the page. Until it is there, what is typed in haste goes nowhere. */
export const loadWindow = () =>
  import("./windows/open-window.tsx").then(({ OpenWindow: component }) => ({ default: component }));
