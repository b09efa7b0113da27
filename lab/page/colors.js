"use strict";
// Colors and shapes of series: the same name has the same ones in all charts of a section.

// Each shape as ECharts knows it, and as a path in a box of 12 by 12.
const PLUS = "M4 0H8V4H12V8H8V12H4V8H0V4H4Z";
const SHAPES = {
  circle: { symbol: "circle", path: "M6 1.5A4.5 4.5 0 1 0 6 10.5A4.5 4.5 0 1 0 6 1.5Z" },
  diamond: { symbol: "diamond", path: "M6 0 11 6 6 12 1 6Z" },
  triangle: { symbol: "triangle", path: "M6 1 11 11H1Z" },
  rect: { symbol: "rect", path: "M2 2H10V10H2Z" },
  plus: { symbol: `path://${PLUS}`, path: PLUS },
};
const SHAPE_NAMES = Object.keys(SHAPES);
const COLORS = 10;
const DASHES = ["solid", "dashed", "dotted"];

// For each chart, the place of each of its series in its section's order.
function placesOf(sections) {
  const places = new Map();
  for (const charts of sections) {
    const orders = [];
    for (const chart of charts) {
      const names = chart.views.flatMap((plot) => plot.series)
        .filter((series) => series.tone === "own").map((series) => series.name);
      let order = orders.find((known) => names.some((name) => known.has(name)));
      if (!order) orders.push((order = new Map()));
      for (const name of names) if (!order.has(name)) order.set(name, order.size);
      places.set(chart.id, order);
    }
  }
  return places;
}

// A color of the style sheet, as the theme has it now.
function themeColor(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

function lookOf(series, order) {
  if (series.tone === "strong") return { color: themeColor("text"), shape: "diamond", dash: "solid" };
  if (series.tone === "muted") return { color: themeColor("muted"), shape: "rect", dash: "solid" };
  const place = order.get(series.name);
  const round = Math.floor(place / COLORS);
  return {
    color: themeColor(`color-${place % COLORS}`),
    shape: SHAPE_NAMES[(place + round) % SHAPE_NAMES.length],
    dash: DASHES[round % DASHES.length],
  };
}

// The picture of a series in the legend.
function swatch(series, look) {
  const { color } = look;
  const width = series.tone === "strong" ? 4 : 2;
  const point = `<path transform="translate(2)" d="${SHAPES[look.shape].path}" fill="${color}"/>`;
  const line = `<path d="M0 6H16" stroke="${color}" stroke-width="${width}" ` +
    `stroke-dasharray="${{ solid: "none", dashed: "5 3", dotted: "2 2" }[look.dash]}"/>`;
  const bar = `<rect x="2" y="0" width="12" height="12" rx="2" fill="${color}"/>`;
  const picture = { point, line, named: line + point, bar, stack: bar }[series.mark];
  return `<svg viewBox="0 0 16 12" aria-hidden="true">${picture}</svg>`;
}
