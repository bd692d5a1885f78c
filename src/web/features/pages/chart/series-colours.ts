// Colours of series: the given colour if its contrast is sufficient, else that of the theme.

/** Number of series colours in ui/tokens.css; further series reuse them. */
const SERIES_COLOURS = 8;
/** Minimum contrast of graphical objects: WCAG 2.2, success criterion 1.4.11. */
const MIN_CONTRAST = 3;
/** The value of `--raised` in the light and the dark theme. */
const BACKGROUNDS = { light: "#ffffff", dark: "#22201d" };

/**
 * Returns the CSS colour of the series `index`: `own`, a hex colour, in each theme in which its contrast is sufficient,
 * otherwise the colour of the theme.
 */
export function getSeriesColour(index: number, own?: string): string {
  const themeColour = `var(--series-${index % SERIES_COLOURS})`;
  if (own === undefined || !/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(own)) return themeColour;
  const [light, dark] = [BACKGROUNDS.light, BACKGROUNDS.dark].map((background) =>
    computeContrast(own, background) >= MIN_CONTRAST ? own : themeColour,
  );
  return light === dark ? (light ?? themeColour) : `light-dark(${light}, ${dark})`;
}

/** Returns the WCAG contrast ratio of two hex colours (`#rgb` or `#rrggbb`), from 1 to 21. */
export function computeContrast(one: string, other: string): number {
  const [a, b] = [computeLuminance(one), computeLuminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function computeLuminance(hex: string): number {
  const digits = hex.slice(1);
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
