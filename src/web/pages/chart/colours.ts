// The colours of series: their own where it can be told from the paper, else those of the theme.

/** How many there are in ui/tokens.css; after the last they begin anew. */
const SERIES = 8;
/** WCAG 2.2, 1.4.11: what a shape needs against what is behind it. */
const ENOUGH = 3;
/** `--raised` in the light and in the dark. */
const BEHIND = { light: "#ffffff", dark: "#22201d" };

/** A CSS colour for both themes. */
export function colourOf(index: number, own?: string): string {
  const ours = `var(--series-${index % SERIES})`;
  if (own === undefined || !/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(own)) return ours;
  const [light, dark] = [BEHIND.light, BEHIND.dark].map((paper) => (contrast(own, paper) >= ENOUGH ? own : ours));
  return light === dark ? (light ?? ours) : `light-dark(${light}, ${dark})`;
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex: string): number {
  const digits = hex.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
