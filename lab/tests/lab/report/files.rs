//! Results as JSON, and the files of a report.

use equipoise_lab::report::{Error, Results, data::*, page, read_references, tables, write};

use super::sample;

#[test]
fn results_round_trip_through_their_file() {
    let results = sample::everything();
    assert!(Results::from_json(&results.to_json()).unwrap() == results);
}

#[test]
fn missing_measurements_are_in_neither_file_nor_page() {
    let mut results = Results::new("title", "date");
    results.apsp = sample::everything().apsp;
    let json = results.to_json();
    assert!(json.contains("apsp") && !json.contains("spmv") && !json.contains("coloring"));
    let page = page(&results);
    let sections = page.matches("<section id=").count();
    assert_eq!((sections, page.matches("<article").count()), (1, 1));
    let names: Vec<String> = tables(&results).into_iter().map(|table| table.name).collect();
    assert_eq!(names, ["apsp.csv", "apsp-by-graph.csv"]);
}

#[test]
fn other_versions_are_refused() {
    let text = sample::everything().to_json();
    let newer = text.replacen("\"version\": 1", "\"version\": 2", 1);
    let error = Results::from_json(&newer).unwrap_err();
    assert!(matches!(error, Error::Version { found: 2 }), "{error}");
    assert!(error.to_string().contains("reads version 1"), "{error}");
}

#[test]
fn files_that_are_no_results_are_refused_with_a_reason() {
    let header = r#"{"version": 1, "title": "t", "date": "d""#;
    for (text, reason) in [
        ("", "EOF"),
        ("{}", "version"),
        (&format!("{header}, \"spvm\": []}}"), "spvm"),
        (&format!("{header}, \"coloring\": [{{\"graph\": \"g\"}}]}}"), "strategy"),
        (
            &format!(
                "{header}, \"coloring\": [{{\"graph\": \"g\", \"strategy\": \"s\", \"seconds\": -1, \"colors\": 3}}]}}"
            ),
            "color / g / s is -1",
        ),
    ] {
        let error = Results::from_json(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!(Results::from_json(&format!("{header}}}")).is_ok());
}

#[test]
fn tables_have_the_numbers_in_seconds() {
    let mut results = Results::new("title", "date");
    for (strategy, kernel_seconds, prepare_seconds) in [("node", 0.5, 0.0), ("split", 0.125, 0.25)]
    {
        results.searches.push(SearchTime {
            algorithm: "bfs".into(),
            graph: "a graph, with a comma".into(),
            strategy: strategy.into(),
            kernel_seconds,
            overhead_seconds: 0.25,
            prepare_seconds,
            device_bytes: Some(1024),
            lines_of_code: None,
        });
    }
    let tables = tables(&results);
    let csv = |name: &str| &tables.iter().find(|table| table.name == name).unwrap().csv;
    assert_eq!(
        csv("bfs-strategies.csv"),
        "graph,node (×),split (×)\n\"a graph, with a comma\",2,1\n"
    );
    assert_eq!(
        csv("bfs-parts.csv"),
        "strategy,kernel (s),overhead (s),preparation (s),total (s),device memory (bytes)\n\
         split,0.125,0.25,0.25,0.625,1024\nnode,0.5,0.25,0,0.75,1024\n"
    );
    assert_eq!(csv("bfs-ranks.csv"), "measure,node,split\ntime,2,1\ndevice memory,1,1\n");
}

#[test]
fn every_table_is_rectangular_and_not_empty() {
    for table in tables(&sample::everything()) {
        let mut reader = csv::Reader::from_reader(table.csv.as_bytes());
        let columns = reader.headers().unwrap().len();
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert!(columns > 1 && !rows.is_empty(), "{}", table.name);
    }
}

#[test]
fn a_report_is_a_page_its_results_and_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("out.html");
    let results = sample::everything();
    let written = write(&results, &html).unwrap();
    assert!(written.iter().all(|file| file.is_file()));
    assert!(Results::read(&folder.path().join("out.json")).unwrap() == results);
    let tables = folder.path().join("out-tables");
    let spmv = std::fs::read_to_string(tables.join("spmv-speedup.csv")).unwrap();
    assert!(
        spmv.starts_with("series,matrix,nonzeros,speed-up (×)\nover cuSPARSE,sample-matrix-0,100,")
    );
    assert_eq!(written.len(), 2 + tables.read_dir().unwrap().count());

    let error = write(&results, &folder.path().join("no/such/folder\0/out.html")).unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{error}");
}

#[test]
fn text_of_results_is_escaped() {
    let mut results = sample::everything();
    results.title = "<script>alert(1)</script>".into();
    results.facts[0].value = "a \"b\" <i>".into();
    results.coloring[0].graph = "</script><b>".into();
    let page = page(&results);
    assert!(!page.contains("<script>alert") && !page.contains("</script><b>"));
    assert!(page.contains("a &quot;b&quot; &lt;i&gt;"));
}

#[test]
fn references_are_read_from_both_layouts() {
    let of = |library: &str, seconds| {
        vec![Reference { library: library.into(), input: "rmat".into(), seconds }]
    };
    let text = "matrix,seconds,library\nrmat,0.5,CUB\n";
    assert_eq!(read_references(text).unwrap(), of("CUB", 0.5));
    let text = "library, graph, seconds\n Gunrock, rmat, 1e-3\n";
    assert_eq!(read_references(text).unwrap(), of("Gunrock", 1e-3));
    let text = "kernel,dataset,rows,cols,nnzs,elapsed\ncusparse,rmat,1,2,3,250\n";
    assert_eq!(read_references(text).unwrap(), of("cusparse", 0.25));
}

#[test]
fn bad_reference_files_are_refused_with_their_line() {
    for (text, reason) in [
        ("", "expected"),
        ("a,b\n1,2\n", "line 1 of the reference file: the columns are `a,b`"),
        ("library,matrix,seconds\nCUB,x,1\nCUB,y,fast\n", "line 3 of the reference file: `fast`"),
        ("library,matrix,seconds\nCUB,x,-1\n", "`-1`"),
        ("library,matrix,seconds\nCUB,x,NaN\n", "`NaN`"),
        ("library,matrix,seconds\nCUB,x\n", "line 2"),
    ] {
        let error = read_references(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_deep_search_is_cut_and_the_page_says_so() {
    let mut results = Results::new("title", "date");
    for source in [1, 2] {
        for level in 0..1000 {
            let (graph, strategy) = ("road".into(), "node".into());
            let chosen = true;
            results.levels.push(LevelTime {
                graph,
                source,
                level,
                strategy,
                seconds: 1e-5,
                chosen,
            });
        }
    }
    let page = page(&results);
    assert!(page.contains("Of 1000 levels at most, the first 250 are drawn."));
    assert!(page.contains("One source a graph is drawn"));
    let tables = tables(&results);
    let levels = tables.iter().find(|table| table.name == "bfs-levels.csv").unwrap();
    // The header, and one line per level of the strategy and of the predicted path.
    assert_eq!(levels.csv.lines().count(), 1 + 2 * 250);
    let totals = tables.iter().find(|table| table.name == "bfs-totals.csv").unwrap();
    assert_eq!(totals.csv, "graph,node (×),predicted (×)\nroad,1,1\n");
}

#[test]
fn other_programs_are_compared_with_whole_searches_only() {
    let mut results = Results::new("title", "date");
    for (graph, levels) in [("whole", [0, 1]), ("part", [0, 9])] {
        for level in levels {
            let (graph, strategy) = (graph.into(), "node".into());
            let (source, seconds, chosen) = (1, 1e-5, false);
            results.levels.push(LevelTime { graph, source, level, strategy, seconds, chosen });
        }
        let (library, input) = ("peer".into(), graph.into());
        results.bfs_references.push(Reference { library, input, seconds: 4e-5 });
    }
    let tables = tables(&results);
    let totals = tables.iter().find(|table| table.name == "bfs-totals.csv").unwrap();
    assert_eq!(totals.csv, "graph,node (×),peer (×)\nwhole,1,2\npart,1,\n");
    let page = page(&results);
    assert!(page.contains("some were measured, evenly spread"));
    assert!(page.contains("Other programs are not shown beside searches"));
}
