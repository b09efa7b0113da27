"use strict";
// Colors and shapes of series: the same name has the same ones in all charts of a section.

const SHAPES = ["circle", "diamond", "triangle", "rect", "emptyCircle"];
const COLORS = 10;

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
  if (series.tone === "strong") return { color: themeColor("text"), shape: "diamond" };
  if (series.tone === "muted") return { color: themeColor("muted"), shape: "rect" };
  const place = order.get(series.name);
  const shape = SHAPES[(place + Math.floor(place / COLORS)) % SHAPES.length];
  return { color: themeColor(`color-${place % COLORS}`), shape };
}

// The picture of a series in the legend.
function swatch(series, look) {
  const { color } = look;
  const marks = {
    circle: `<circle cx="8" cy="6" r="4.5" fill="${color}"/>`,
    emptyCircle: `<circle cx="8" cy="6" r="4" fill="none" stroke="${color}" stroke-width="2"/>`,
    diamond: `<path d="M8 0 13 6 8 12 3 6Z" fill="${color}"/>`,
    triangle: `<path d="M8 1 13 11H3Z" fill="${color}"/>`,
    rect: `<rect x="4" y="2" width="8" height="8" fill="${color}"/>`,
  };
  const width = series.tone === "strong" ? 4 : 2;
  const line = `<path d="M0 6H16" stroke="${color}" stroke-width="${width}"/>`;
  const bar = `<rect x="2" y="0" width="12" height="12" rx="2" fill="${color}"/>`;
  const picture = { point: marks[look.shape], line, named: line, bar, stack: bar }[series.mark];
  return `<svg viewBox="0 0 16 12" aria-hidden="true">${picture}</svg>`;
}
