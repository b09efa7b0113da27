"use strict";
// From a plot of the data to the options of ECharts.

const ROW_HEIGHT = 26;

function heightOf(plot, width) {
  const flat = width < 520 ? 300 : 380;
  if (plot.layout === "rows") return Math.max(240, plot.table.rows.length * ROW_HEIGHT + 80);
  const named = plot.series.filter((series) => series.mark === "named").length;
  return Math.max(flat, named * 20 + 80);
}

function optionsOf(plot, looks, width) {
  const colors = {
    text: themeColor("text"), quiet: themeColor("quiet"), line: themeColor("line"),
    grid: themeColor("grid"), card: themeColor("card"), accent: themeColor("accent"),
  };
  const hasNames = plot.layout !== "points";
  const rows = plot.layout === "rows";
  const names = hasNames ? plot.table.rows.map((row) => row[0]) : [];
  const room = plot.series.some((series) => series.mark === "named") ? (width < 520 ? 110 : 210) : 16;
  const top = plot.lines.some((line) => line.label !== "") ? 24 : 14;
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    legend: { show: false, data: plot.series.map((series) => series.name) },
    grid: { left: 8, right: room, top, bottom: 8, outerBoundsMode: "same",
            outerBounds: { left: 4, right: room, top, bottom: 4 } },
    tooltip: tooltipOf(plot, looks, colors),
    xAxis: hasNames && !rows ? nameAxis(plot.x, names, colors, width)
      : numberAxis(plot, "x", colors),
    yAxis: hasNames && rows ? nameAxis(plot.y, names, colors, width, true)
      : numberAxis(plot, "y", colors),
    series: plot.series.map((series, index) => seriesOf(plot, series, index, looks[index], colors, room)),
  };
}

function hasBars(plot) {
  return plot.series.some((series) => series.mark === "bar" || series.mark === "stack");
}

function axisStyle(axis, colors) {
  return {
    name: axis.title, nameLocation: "middle", nameGap: 26,
    nameTextStyle: { color: colors.quiet, fontSize: 12 },
    axisLabel: { color: colors.quiet, fontSize: 12, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: colors.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: colors.grid } },
  };
}

function nameAxis(axis, names, colors, width, isVertical = false) {
  const style = axisStyle(axis, colors);
  style.axisLabel.color = colors.text;
  const areNumbers = names.every((name) => Number.isFinite(Number(name)));
  if (isVertical) {
    Object.assign(style.axisLabel, { interval: 0, hideOverlap: false, margin: 12, width: width < 520 ? 120 : 200, overflow: "truncate" });
  } else if (!areNumbers) {
    const letters = Math.max(...names.map((name) => name.length));
    const isTight = letters * 7 > (width - 60) / names.length;
    Object.assign(style.axisLabel, { interval: 0, hideOverlap: false, rotate: isTight ? 40 : 0, width: 120, overflow: "truncate" });
  }
  const splitLine = { ...style.splitLine, show: isVertical };
  return { ...style, type: "category", data: names, inverse: isVertical, name: isVertical ? "" : axis.title, splitLine };
}

function numberAxis(plot, direction, colors) {
  const axis = plot[direction];
  const numbers = numbersAlong(plot, direction);
  const style = axisStyle(axis, colors);
  style.axisLabel.formatter = tick;
  style.axisLine.show = direction === "x";
  if (axis.scale === "rank") {
    return { ...style, type: "value", inverse: true, min: 1, max: Math.max(...numbers, 2), interval: 1 };
  }
  // What is counted has whole numbers.
  const minInterval = axis.unit === "" ? 1 : 0;
  const linear = { ...style, type: "value", scale: !hasBars(plot), minInterval };
  if (axis.scale !== "log" || numbers.length === 0) return linear;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  // Some air around marks and lines, and no labels at the odd numbers where the axis then ends.
  const air = Math.max(1.08, (high / low) ** 0.03);
  Object.assign(style.axisLabel, { showMinLabel: false, showMaxLabel: false });
  if (high / low < 3) return { ...linear, min: low / air, max: high * air };
  return { ...style, type: "log", logBase: high / low < 30 ? 2 : 10, min: low / air, max: high * air };
}

// The numbers that are drawn along an axis; on a logarithmic one only those that it has a place for.
function numbersAlong(plot, direction) {
  const isLog = plot[direction].scale === "log";
  const columns = plot.table.columns.length;
  const drawn = plot.layout === "points" ? [columns - (direction === "x" ? 2 : 1)]
    : plot.series.map((_, index) => index + 1);
  return plot.table.rows.flatMap((row) => drawn.map((column) => row[column]))
    .concat(plot.lines.filter((line) => line.across === direction).map((line) => line.at))
    .filter((number) => number !== null && !(isLog && number <= 0));
}

function drawable(number, axis) {
  return number === null || (axis.scale === "log" && number <= 0) ? null : number;
}

function itemsOf(plot, series, index) {
  const { rows, columns } = plot.table;
  if (plot.layout === "points") {
    const [x, y] = [columns.length - 2, columns.length - 1];
    return rows.filter((row) => row[0] === series.name).map((row) => ({
      name: columns.length === 4 ? row[1] : "",
      value: [drawable(row[x], plot.x), drawable(row[y], plot.y)],
    })).filter((item) => !item.value.includes(null));
  }
  const axis = plot.layout === "rows" ? plot.x : plot.y;
  const numbers = rows.map((row) => drawable(row[index + 1], axis));
  if (series.mark !== "point") return numbers;
  return numbers.map((number, place) => (plot.layout === "rows" ? [number, place] : [place, number]))
    .filter((item) => !item.includes(null));
}

function seriesOf(plot, series, index, look, colors, room) {
  const isStrong = series.tone === "strong";
  const options = {
    name: series.name, data: itemsOf(plot, series, index), color: look.color,
    z: isStrong ? 5 : 2, markLine: index === 0 ? linesOf(plot, colors) : undefined,
  };
  switch (series.mark) {
    case "point": {
      const size = isStrong ? 13 : plot.layout === "points" ? 6 : 10;
      const opacity = plot.layout === "points" ? 0.7 : 0.9;
      return { ...options, type: "scatter", symbol: SHAPES[look.shape].symbol, symbolSize: size, itemStyle: { opacity },
               emphasis: { scale: 1.5, itemStyle: { opacity: 1 } } };
    }
    case "bar":
    case "stack":
      return { ...options, type: "bar", stack: series.mark === "stack" ? "all" : undefined,
               barMaxWidth: plot.layout === "rows" ? 16 : 46, barGap: "8%" };
    default: {
      const isNamed = series.mark === "named";
      return { ...options, type: "line", symbol: isNamed ? SHAPES[look.shape].symbol : "circle", symbolSize: isStrong ? 8 : isNamed ? 10 : 5,
               showAllSymbol: true, connectNulls: isNamed,
               lineStyle: { width: isStrong ? 4 : 2, type: look.dash, opacity: isStrong ? 1 : 0.85 },
               emphasis: { focus: "series" },
               endLabel: { show: isNamed, formatter: () => namesAtEnd(plot, index), color: colors.text,
                           fontSize: 12, distance: 8, width: room - 20, overflow: "truncate" } };
    }
  }
}

// The names of all series that end where one does, at the first of them.
function namesAtEnd(plot, index) {
  const last = plot.table.rows.at(-1);
  const alike = plot.series.filter((_, other) => last[other + 1] === last[index + 1]);
  return alike[0] === plot.series[index] ? alike.map((series) => series.name).join(", ") : "";
}

function linesOf(plot, colors) {
  if (plot.lines.length === 0) return undefined;
  return {
    silent: true, symbol: "none", animation: false,
    lineStyle: { color: colors.text, type: "dashed", width: 1.5, opacity: 0.7 },
    label: { color: colors.text, position: "end", distance: 4, fontSize: 12 },
    data: plot.lines.map((line) => ({
      [line.across === "x" ? "xAxis" : "yAxis"]: line.at,
      label: { show: line.label !== "", formatter: () => line.label },
    })),
  };
}

function tooltipOf(plot, looks, colors) {
  const isSingle = plot.series.every((series) => series.mark === "point");
  const color = (index) => looks[index].color;
  return {
    trigger: isSingle ? "item" : "axis",
    confine: true, transitionDuration: 0,
    axisPointer: { type: hasBars(plot) ? "shadow" : "line",
                   shadowStyle: { color: colors.quiet, opacity: 0.1 }, label: { show: false } },
    backgroundColor: colors.card, borderColor: colors.line, textStyle: { color: colors.text },
    formatter: (hit) => (isSingle ? tipOfPoint(plot, hit, color) : tipOfPlace(plot, hit, color)),
  };
}

function tipRow(color, name, value) {
  const dot = color ? `<i style="background:${color}"></i>` : "";
  return `<tr><td>${dot}${escaped(name)}</td><td>${escaped(value)}</td></tr>`;
}

function tip(title, rows) {
  return `<div class="tip"><strong>${escaped(title)}</strong><table>${rows.join("")}</table></div>`;
}

// A name of a row or column; where it is a number, with what it is a number of.
function titleOf(plot, place) {
  const name = plot.table.rows[place][0];
  return Number.isFinite(Number(name)) ? `${plot.table.columns[0].title} ${name}` : name;
}

function tipOfPoint(plot, hit, color) {
  const tone = color(hit.seriesIndex);
  if (plot.layout !== "points") {
    const [value, place] = plot.layout === "rows" ? hit.value : [hit.value[1], hit.value[0]];
    const axis = plot.layout === "rows" ? plot.x : plot.y;
    const rows = [tipRow(tone, hit.seriesName, withUnit(value, axis.unit))];
    return tip(titleOf(plot, place), rows.concat(besideOf(plot, place)));
  }
  const rows = [plot.x, plot.y].map((axis, index) => tipRow("", axis.title, brief.format(hit.value[index])));
  return tip(hit.name === "" ? hit.seriesName : `${hit.name}, ${hit.seriesName}`, rows);
}

function tipOfPlace(plot, hits, color) {
  if (hits.length === 0) return "";
  const hasNames = plot.layout !== "points";
  const axis = plot.layout === "rows" ? plot.x : plot.y;
  const number = (hit) => (hasNames ? hit.value : hit.value[1]);
  const shown = hits.filter((hit) => number(hit) !== null && number(hit) !== undefined);
  if (plot.series.every((series) => series.mark !== "stack")) shown.sort((a, b) => number(a) - number(b));
  const rows = shown.map((hit) => {
    const name = hit.name && !hasNames && hit.name !== hit.seriesName ? `${hit.seriesName}: ${hit.name}` : hit.seriesName;
    return tipRow(color(hit.seriesIndex), name, withUnit(number(hit), axis.unit));
  });
  if (hasNames) return tip(titleOf(plot, hits[0].dataIndex), rows.concat(besideOf(plot, hits[0].dataIndex)));
  return tip(`${plot.x.title} ${tick(hits[0].value[0])}`, rows);
}

// The numbers that are not drawn.
function besideOf(plot, place) {
  const first = plot.series.length + 1;
  return plot.table.columns.slice(first).map((column, index) =>
    tipRow("", column.title, withUnit(plot.table.rows[place][first + index], "")));
}
