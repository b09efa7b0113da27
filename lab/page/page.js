"use strict";
// Charts, legends, tables and the theme of the page.

const sections = JSON.parse(document.getElementById("data").textContent);
const places = placesOf(sections);
const cards = new Map();

class Card {
  constructor(chart) {
    this.views = chart.views;
    this.order = places.get(chart.id);
    this.view = 0;
    this.hidden = new Set();
    this.isDrawn = false;
    this.element = document.querySelector(`[data-chart="${chart.id}"]`);
    const find = (selector) => this.element.querySelector(selector);
    [this.plot, this.legend, this.table] = [find(".plot"), find(".legend"), find(".table")];
    [this.toggle, this.picker] = [find(".toggle"), find("select")];
    this.toggle.addEventListener("click", () => this.showTable(this.table.hidden));
    this.picker?.addEventListener("change", () => this.pick(Number(this.picker.value)));
    this.setHeight();
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }

  get current() { return this.views[this.view]; }

  setHeight() { this.plot.style.height = `${heightOf(this.current, this.plot.clientWidth)}px`; }

  draw() {
    this.isDrawn = true;
    if (this.plot.clientWidth === 0) return;
    this.setHeight();
    this.width = this.plot.clientWidth;
    this.chart ??= echarts.init(this.plot, null, { renderer: "svg" });
    this.chart.resize();
    const looks = this.current.series.map((series) => lookOf(series, this.order));
    const options = optionsOf(this.current, looks, this.width);
    options.legend.selected = Object.fromEntries([...this.hidden].map((name) => [name, false]));
    this.chart.setOption(options, { notMerge: true });
    this.drawLegend(looks);
  }

  drawLegend(looks) {
    const { series } = this.current;
    this.legend.hidden = series.length < 2;
    this.legend.replaceChildren(...series.map((one, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.innerHTML = swatch(one, looks[index]) + escaped(one.name);
      button.setAttribute("aria-pressed", String(!this.hidden.has(one.name)));
      button.addEventListener("click", () => this.toggleSeries(one.name, button));
      return button;
    }));
  }

  toggleSeries(name, button) {
    const isShown = this.hidden.delete(name);
    if (!isShown) this.hidden.add(name);
    button.setAttribute("aria-pressed", String(isShown));
    this.chart.dispatchAction({ type: isShown ? "legendSelect" : "legendUnSelect", name });
  }

  pick(view) {
    this.view = view;
    if (this.table.hidden) this.draw();
    else this.drawTable();
  }

  showTable(isTable) {
    this.toggle.setAttribute("aria-pressed", String(isTable));
    this.toggle.textContent = isTable ? "Chart" : "Table";
    this.table.hidden = !isTable;
    this.plot.hidden = isTable;
    if (isTable) {
      this.legend.hidden = true;
      this.drawTable();
    } else {
      this.draw();
    }
  }

  drawTable() {
    const { columns, rows } = this.current.table;
    const kind = (index) => (columns[index].number ? ' class="number"' : "");
    const head = columns.map((column, index) => `<th scope="col"${kind(index)}>${escaped(column.title)}</th>`);
    const cell = (value, index) => {
      if (index === 0) return `<th scope="row">${escaped(value)}</th>`;
      const text = value === null ? "–" : columns[index].number ? exact.format(value) : value;
      return `<td${kind(index)}>${escaped(text)}</td>`;
    };
    const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`);
    const title = this.element.querySelector("h3").textContent;
    this.table.innerHTML = `<table><caption>${escaped(title)}</caption><thead><tr>${head.join("")}</tr></thead>` +
      `<tbody>${body.join("")}</tbody></table>`;
  }

  // Drawn anew only for a new width, since drawing sets the height.
  resize() {
    if (this.isDrawn && this.plot.clientWidth !== 0 && this.plot.clientWidth !== this.width) this.draw();
  }
}

// One after the other, so that the page answers in between.
function drawAll() {
  const waiting = [...cards.values()];
  const drawNext = () => {
    waiting.shift()?.draw();
    if (waiting.length > 0) setTimeout(drawNext);
  };
  drawNext();
}

function redrawAll() {
  for (const card of cards.values()) if (card.isDrawn && card.table.hidden) card.draw();
}

// The theme of the system, or the one that the reader wants.
function themeSwitch() {
  const button = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* A file may not. */ } };
  const set = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    redrawAll();
  };
  let theme = themes.includes(stored()) ? stored() : "auto";
  set(theme);
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store(theme);
    set(theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
}

// Marks the section that is being read in the navigation.
function markSection() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const link = links.get(entry.target.id);
      if (entry.isIntersecting) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-20% 0px -75% 0px" });
  for (const section of document.querySelectorAll("main section")) observer.observe(section);
}

for (const chart of sections.flat()) cards.set(chart.id, new Card(chart));
themeSwitch();
drawAll();
markSection();
