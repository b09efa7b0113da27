//! A self-contained page with all charts.

use serde_json::{Value, json};

use crate::report::{
    chart::{Chart, Section},
    data::Results,
    figures,
    papers::{Figure, PAPERS},
};

const TEMPLATE: &str = include_str!("../../page/page.html");
const STYLE: &str = include_str!("../../page/style.css");
const SCRIPTS: [&str; 4] = [
    include_str!("../../page/format.js"),
    include_str!("../../page/colors.js"),
    include_str!("../../page/plot.js"),
    include_str!("../../page/page.js"),
];
const ECHARTS: &str = include_str!("../../vendor/echarts/echarts.common.min.js");

/// The page of some results: HTML with embedded styles, scripts, plotting library and data.
///
/// Sections without results are omitted.
///
/// ```
/// let results = equipoise_lab::report::Results::new("Nightly run", "2026-11-15");
/// let page = equipoise_lab::report::page(&results);
/// assert!(page.contains("<h1>Nightly run</h1>"));
/// assert!(page.contains("Nothing was measured"));
/// ```
pub fn page(results: &Results) -> String {
    let sections = figures::sections(results);
    fill(TEMPLATE, |name| match name {
        "title" => escaped(&results.title),
        "date" => escaped(&results.date),
        "facts" => facts(results),
        "navigation" => sections.iter().map(link).collect(),
        "sections" if sections.is_empty() => "<p>Nothing was measured.</p>".into(),
        "sections" => sections.iter().map(section).collect(),
        "papers" => papers(&sections),
        "data" => data(&sections).to_string().replace('<', "\\u003c"),
        "style" => STYLE.into(),
        "echarts" => ECHARTS.into(),
        "script" => SCRIPTS.concat(),
        _ => String::new(),
    })
}

/// Replaces the placeholders `{{name}}` of a template.
fn fill(template: &str, text: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        page += &text(name);
        page += rest;
    }
    page
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Longer facts get a separate line.
const LONG: usize = 90;

fn facts(results: &Results) -> String {
    let fact = |name: &str, value: &str| {
        let class = if value.chars().count() > LONG { " class=\"long\"" } else { "" };
        format!("<div{class}><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value))
    };
    results.facts.iter().map(|one| fact(&one.name, &one.value)).collect()
}

fn link(section: &Section) -> String {
    format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, escaped(section.title))
}

fn section(section: &Section) -> String {
    let cards: String = section.charts.iter().map(card).collect();
    format!(
        "<section id=\"{id}\">\n<h2>{title}</h2>\n<p class=\"introduction\">{introduction}</p>\n\
         <div class=\"cards\">\n{cards}</div>\n</section>\n",
        id = section.id,
        title = escaped(section.title),
        introduction = escaped(section.introduction),
    )
}

fn card(chart: &Chart) -> String {
    let id = escaped(&chart.id);
    let title = escaped(&chart.title);
    let findings =
        chart.findings.iter().map(|text| format!("<p class=\"finding\">{}</p>\n", escaped(text)));
    format!(
        "<article class=\"card{half}\" id=\"{id}\" data-chart=\"{id}\">\n\
         <header><h3>{title}</h3>\n<div class=\"tools\">{picker}\
         <button type=\"button\" class=\"toggle\" aria-pressed=\"false\">Table</button></div></header>\n\
         {findings}<div class=\"legend\" role=\"group\" aria-label=\"Series of {title}\"></div>\n\
         <div class=\"plot\" role=\"img\" aria-label=\"{title}; the table has the same numbers\"></div>\n\
         <div class=\"table\" role=\"region\" aria-label=\"Table of {title}\" tabindex=\"0\" hidden></div>\n\
         <p class=\"reading\">{reading}{after}</p>\n</article>\n",
        half = if chart.is_half { " half" } else { "" },
        picker = picker(chart),
        findings = findings.collect::<String>(),
        reading = escaped(&chart.reading),
        after = chart.after.as_ref().map(after).unwrap_or_default(),
    )
}

/// The figure that a chart redraws.
fn after(figure: &Figure) -> String {
    let (number, short) = (figure.paper.number, escaped(figure.paper.short));
    let name = escaped(figure.name);
    format!(
        " <span class=\"after\">After {name} of {short}&nbsp;<a href=\"#paper-{number}\">[{number}]</a></span>"
    )
}

/// The selector of a view; empty for a single one.
fn picker(chart: &Chart) -> String {
    if chart.views.len() < 2 {
        return String::new();
    }
    let option = |(index, name): (usize, &str)| {
        format!("<option value=\"{index}\">{}</option>", escaped(name))
    };
    let options: String =
        chart.views.iter().map(|view| &*view.name).enumerate().map(option).collect();
    format!("<label>{} <select>{options}</select></label> ", escaped(chart.views_are))
}

/// The papers that the page's charts refer to.
fn papers(sections: &[Section]) -> String {
    let charts = || sections.iter().flat_map(|section| &section.charts);
    let named = || charts().filter_map(|chart| chart.after.as_ref());
    let is_named = |number: u32| named().any(|figure| figure.paper.number == number);
    let item = |number: u32, citation: &str| {
        format!("<li id=\"paper-{number}\" value=\"{number}\">{}</li>\n", escaped(citation))
    };
    let named = PAPERS.iter().filter(|paper| is_named(paper.number));
    named.map(|paper| item(paper.number, paper.citation)).collect()
}

/// The views of each chart, by section, in the order of the page.
fn data(sections: &[Section]) -> Value {
    let views = |chart: &Chart| -> Value {
        let plots = chart.views.iter().map(|view| view.plot.to_page()).collect::<Value>();
        json!({ "id": chart.id, "views": plots })
    };
    let charts = |section: &Section| section.charts.iter().map(views).collect::<Value>();
    sections.iter().map(charts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_once() {
        let text = |name: &str| format!("[{name} {{{{b}}}}]");
        assert_eq!(fill("x {{a}} y {{b}}", text), "x [a {{b}}] y [b {{b}}]");
    }

    #[test]
    fn scripts_and_style_do_not_end_early() {
        let scripts = SCRIPTS.concat();
        for text in [ECHARTS, &scripts, STYLE] {
            assert!(!text.contains("</script") && !text.contains("</style"));
        }
    }
}
