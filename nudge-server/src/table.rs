//! The tables below `tests`, each row of which is a case.

/// The rows of a table: no comments, cells between tabs, `\n` and `\t` in a cell as in a string.
pub(crate) fn rows<const CELLS: usize>(table: &str) -> Vec<[String; CELLS]> {
    let lines = table.lines().filter(|line| !line.starts_with("# "));
    let rows = lines.filter(|line| !line.is_empty()).map(|line| {
        let cells: Vec<String> = line.split('\t').map(unescaped).collect();
        cells.try_into().expect(line)
    });
    rows.collect()
}

fn unescaped(cell: &str) -> String {
    let whole = cell.replace("\\\\", "\0");
    let lines = whole.replace("\\n", "\n").replace("\\t", "\t");
    lines.replace('\0', "\\")
}

/// Holds every row to its last cell, in which `-` is nothing.
pub(crate) fn check<const CELLS: usize>(table: &str, actual: impl Fn(&[String; CELLS]) -> String) {
    let wrong = rows::<CELLS>(table).into_iter().filter_map(|row| {
        let actual = actual(&row);
        let actual = if actual.is_empty() { "-" } else { &actual };
        (row.last()? != actual).then(|| format!("{row:?}: {actual}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}
