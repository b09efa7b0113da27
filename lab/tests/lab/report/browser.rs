//! The page in headless Chromium.

use std::path::{Path, PathBuf};

use equipoise_lab::report::{Results, write};
use serde_json::{Value, json};

use super::{chromium::Browser, sample};

/// The page of the sample data, open in a browser.
struct Page {
    browser: Browser,
    html: PathBuf,
}

impl Page {
    fn open(width: u32, scheme: &str) -> Self {
        Self::open_results(&sample::everything(), "sample.html", width, scheme)
    }

    /// The file stays in `target/tmp` for inspection.
    fn open_results(results: &Results, file: &str, width: u32, scheme: &str) -> Self {
        let html = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
        write(results, &html).unwrap();
        let mut browser = Browser::start();
        browser.set_screen(width, 900, scheme);
        browser.open(&html);
        let mut page = Self { browser, html };
        page.wait();
        page
    }

    /// Waits until each chart is drawn.
    fn wait(&mut self) {
        for id in self.charts() {
            self.browser.wait_for(&format!("document.querySelector('#{id} .plot svg path')"));
        }
    }

    fn charts(&mut self) -> Vec<String> {
        let ids = "[...document.querySelectorAll('[data-chart]')].map((card) => card.id)";
        strings(&self.browser.evaluate(ids))
    }

    fn views(&mut self, id: &str) -> usize {
        let count = format!("document.querySelectorAll('#{id} option').length || 1");
        self.browser.evaluate(&count).as_u64().unwrap() as usize
    }

    fn pick(&mut self, id: &str, view: usize) {
        self.browser.evaluate(&format!(
            "(() => {{ const picker = document.querySelector('#{id} select');
               if (picker) {{ picker.value = '{view}'; picker.dispatchEvent(new Event('change')); }} }})()"
        ));
    }

    /// The series of a chart without marks in their color.
    fn missing_marks(&mut self, id: &str) -> Vec<String> {
        strings(&self.browser.evaluate(&format!(
            "(() => {{
               const card = cards.get('{id}');
               const painted = new Set([...card.plot.querySelectorAll('svg path')]
                 .filter((path) => path.getBoundingClientRect().width + path.getBoundingClientRect().height > 1)
                 .flatMap((path) => [getComputedStyle(path).fill, getComputedStyle(path).stroke]));
               return card.current.series.filter((series) => {{
                 const index = card.current.series.indexOf(series);
                 const some = itemsOf(card.current, series, index).some((item) => item !== null && item !== 0);
                 return some && !painted.has(lookOf(series, card.order).color);
               }}).map((series) => series.name);
             }})()"
        )))
    }

    /// The overflow of the page beyond the width of the screen.
    fn overflow(&mut self) -> i64 {
        let width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        self.browser.evaluate(width).as_i64().unwrap()
    }

    fn assert_quiet(&self) {
        let complaints = self.browser.complaints();
        assert!(complaints.is_empty(), "the page complains: {complaints:#?}");
    }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap().into()).collect()
}

#[test]
fn every_view_of_every_chart_is_drawn_without_an_error() {
    let mut page = Page::open(1280, "light");
    let charts = page.charts();
    assert_eq!(charts.len(), 26);
    for id in &charts {
        for view in 0..page.views(id) {
            page.pick(id, view);
            let missing = page.missing_marks(id);
            assert!(missing.is_empty(), "view {view} of {id} has no marks of {missing:?}");
            let titles = page.browser.evaluate(&format!(
                "[cards.get('{id}').current.x.title, cards.get('{id}').current.y.title]"
            ));
            assert!(strings(&titles).iter().all(|title| !title.is_empty()), "{id}: {titles}");
        }
    }
    page.assert_quiet();
}

#[test]
fn hover_shows_the_numbers_of_every_chart() {
    let mut page = Page::open(1280, "light");
    for id in page.charts() {
        let position = page.browser.evaluate(&format!(
            "(() => {{
               const card = cards.get('{id}');
               card.plot.scrollIntoView({{ block: 'center' }});
               const data = itemsOf(card.current, card.current.series[0], 0);
               const index = Math.floor(data.length / 2);
               const value = data[index].value ?? data[index];
               const pair = Array.isArray(value) ? value : card.current.layout === 'rows' ? [value / 2, index] : [index, value];
               const [x, y] = card.chart.convertToPixel('grid', pair);
               const box = card.plot.getBoundingClientRect();
               return [box.left + x, box.top + y];
             }})()"
        ));
        let position: Vec<f64> =
            position.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
        page.browser.move_mouse(position[0] - 3.0, position[1] - 1.0);
        page.browser.move_mouse(position[0], position[1]);
        // The name of a row and of a series, and their number; or all values of a point.
        page.browser.wait_for(&format!(
            "(() => {{
               const tip = document.querySelector('#{id} .tip');
               if (!tip || !tip.checkVisibility()) return false;
               const says = (value) => tip.innerText.includes(typeof value === 'number' ? brief.format(value) : value);
               const {{ layout, series, table }} = cards.get('{id}').current;
               if (layout === 'points') return table.rows.some((row) => row.every((cell) => says(cell)));
               return table.rows.some((row) => says(row[0])
                 && series.some((one, index) => row[index + 1] !== null && says(one.name) && says(row[index + 1])));
             }})()"
        ));
    }
    page.assert_quiet();
}

#[test]
fn the_toggle_shows_a_table_with_the_same_numbers() {
    let mut page = Page::open(1280, "light");
    for id in page.charts() {
        let click = format!("document.querySelector('#{id} .toggle').click()");
        page.browser.evaluate(&click);
        let shown = page.browser.evaluate(&format!(
            "(() => {{
               const card = cards.get('{id}');
               const rows = [...card.table.querySelectorAll('tbody tr')].map((row) =>
                 [...row.cells].map((cell) => cell.innerText.trim()));
               const expected = card.current.table.rows.map((row) => row.map((value, column) =>
                 value === null ? '–' : card.current.table.columns[column].number ? exact.format(value) : value));
               return [card.table.checkVisibility(), card.plot.checkVisibility(), rows.length > 0,
                       JSON.stringify(rows) === JSON.stringify(expected),
                       card.table.querySelectorAll('thead th[scope=col]').length === expected[0].length];
             }})()"
        ));
        assert_eq!(shown, json!([true, false, true, true, true]), "{id}");
        page.browser.evaluate(&click);
        let back = format!(
            "[cards.get('{id}').table.checkVisibility(), cards.get('{id}').plot.checkVisibility()]"
        );
        assert_eq!(page.browser.evaluate(&back), json!([false, true]), "{id}");
    }
    page.assert_quiet();
}

#[test]
fn lines_across_a_plot_are_visible() {
    let mut results = sample::everything();
    // All are faster than Equipoise: no mark is near the line at 1.
    results.spmv_references.iter_mut().for_each(|reference| reference.seconds = 1e-9);
    let mut page = Page::open_results(&results, "lines.html", 1280, "light");
    let mut lines = 0;
    for id in page.charts() {
        for view in 0..page.views(&id) {
            page.pick(&id, view);
            let in_sight = page.browser.evaluate(&format!(
                "(() => {{
                   const {{ chart, plot, current }} = cards.get('{id}');
                   return current.lines.map((line) => {{
                     const [axis, size] = line.across === 'x' ? ['xAxisIndex', plot.clientWidth]
                       : ['yAxisIndex', plot.clientHeight];
                     const place = chart.convertToPixel({{ [axis]: 0 }}, line.at);
                     return place >= 0 && place <= size;
                   }});
                 }})()"
            ));
            let in_sight = in_sight.as_array().unwrap();
            assert!(in_sight.iter().all(|line| line == true), "view {view} of {id}");
            lines += in_sight.len();
        }
    }
    assert!(lines > 10, "{lines}");
}

#[test]
fn the_legend_hides_a_series() {
    let mut page = Page::open(1280, "light");
    let bars = "cards.get('bfs-parts').plot.querySelectorAll('svg path').length";
    let before = page.browser.evaluate(bars).as_u64().unwrap();
    page.browser.evaluate("document.querySelector('#bfs-parts .legend button').click()");
    page.browser.wait_for(&format!("{bars} < {before}"));
    let pressed =
        "document.querySelector('#bfs-parts .legend button').getAttribute('aria-pressed')";
    assert_eq!(page.browser.evaluate(pressed), "false");
    page.browser.evaluate("document.querySelector('#bfs-parts .legend button').click()");
    page.browser.wait_for(&format!("{bars} === {before}"));
    page.assert_quiet();
}

#[test]
fn the_theme_follows_the_system_and_the_switch() {
    let background = "getComputedStyle(document.body).backgroundColor";
    let mut page = Page::open(1280, "dark");
    assert_eq!(page.browser.evaluate(background), "rgb(14, 17, 22)");
    assert!(page.missing_marks("bfs-levels").is_empty());

    let click = "document.getElementById('theme').click()";
    page.browser.evaluate(click);
    assert_eq!(page.browser.evaluate(background), "rgb(245, 246, 248)");
    assert!(page.missing_marks("bfs-levels").is_empty(), "charts did not follow the switch");

    page.browser.set_screen(1280, 900, "light");
    page.browser.evaluate(click);
    assert_eq!(page.browser.evaluate(background), "rgb(14, 17, 22)");
    page.assert_quiet();
}

#[test]
fn nothing_is_wider_than_the_screen() {
    let mut page = Page::open(390, "dark");
    for (width, scheme) in [(390, "dark"), (390, "light"), (768, "light"), (1280, "dark")] {
        page.browser.set_screen(width, 844, scheme);
        let html = page.html.clone();
        page.browser.open(&html);
        page.wait();
        assert_eq!(page.overflow(), 0, "at {width} pixels, {scheme}");
        for id in page.charts() {
            page.browser.evaluate(&format!("document.querySelector('#{id} .toggle').click()"));
        }
        assert_eq!(page.overflow(), 0, "at {width} pixels, {scheme}, with tables");
        page.assert_quiet();
    }
}

#[test]
fn charts_follow_the_width_of_the_window() {
    let mut page = Page::open(1280, "light");
    page.browser.set_screen(390, 844, "light");
    for id in page.charts() {
        page.browser.wait_for(&format!(
            "document.querySelector('#{id} svg').getBoundingClientRect().width <=
             document.getElementById('{id}').getBoundingClientRect().width"
        ));
    }
    assert_eq!(page.overflow(), 0);
    page.assert_quiet();
}

#[test]
fn extreme_results_are_drawn_without_an_error() {
    let mut page = Page::open_results(&sample::extreme(), "extreme.html", 390, "dark");
    for id in page.charts() {
        for view in 0..page.views(&id) {
            page.pick(&id, view);
            page.browser.wait_for(&format!("document.querySelector('#{id} .plot svg')"));
        }
        page.browser.evaluate(&format!("document.querySelector('#{id} .toggle').click()"));
    }
    assert_eq!(page.overflow(), 0);
    assert_eq!(page.browser.evaluate("document.querySelectorAll('main b').length"), 0);
    page.assert_quiet();
}
