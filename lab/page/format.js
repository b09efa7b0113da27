"use strict";
// Numbers and text for people.

const exact = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const brief = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

function escaped(text) {
  const codes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return String(text).replace(/[&<>"]/g, (character) => codes[character]);
}

function withUnit(number, unit) {
  if (number === null || number === undefined) return "–";
  return brief.format(number) + (unit === "" ? "" : unit === "×" ? "×" : " " + unit);
}

// Labels of axes: 2000000 is 2M, 0.00001 is 1e-5.
function tick(number) {
  const size = Math.abs(number);
  if (size !== 0 && size < 1e-4) return number.toExponential(0);
  for (const [factor, letter] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    const divisor = letter === "k" ? 1e3 : factor;
    if (size >= factor) return brief.format(number / divisor) + letter;
  }
  return brief.format(number);
}
