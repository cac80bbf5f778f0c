// Tables whose columns sort. A column has a title, the key of its meaning, what its cell shows, and
// what it sorts by: a number, or a text.
function numbers_table(caption, columns, rows) {
    const body = make("tbody");
    const heads = columns.map(column => {
        const head = make("th", {scope: "col", class: column.is_text ? "text" : ""});
        head.append(make("button", {title: MEANING[column.meaning], onclick: () => sort(column, head)}, column.title));
        return head;
    });
    function fill(sorted) {
        body.replaceChildren(...sorted.map(row => make("tr", {}, ...columns.map(column => cell(column, row)))));
    }
    function sort(column, head) {
        const rises = head.getAttribute("aria-sort") === "descending" || (column.is_text && !head.hasAttribute("aria-sort"));
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", rises ? "ascending" : "descending");
        fill([...rows].sort((a, b) => (rises ? 1 : -1) * compare(column.value(a), column.value(b))));
    }
    fill(rows);
    const table = make("table", {class: "numbers", "aria-label": caption}, make("thead", {}, make("tr", {}, ...heads)), body);
    return make("div", {}, make("div", {class: "scroll"}, table), legend(columns.map(column => [column.title, column.meaning])));
}

function compare(a, b) {
    return typeof a === "string" ? a.localeCompare(b) : a - b;
}

function cell(column, row) {
    const text = column.text ? column.text(row) : column.value(row);
    const attributes = {class: [column.is_text ? "text" : "", column.kind ?? ""].join(" ").trim(), title: MEANING[column.meaning]};
    if (column.kind === "share") {
        attributes["--share"] = column.value(row);
    }
    return make("td", attributes, String(text));
}

// The columns that all sections of the profile have.
function time_columns(rows, meanings) {
    const sum = rows.reduce((all, row) => all + row.total_ns, 0);
    const column = (title, meaning, value, text) => ({title, meaning, value, text});
    return [
        {...column("share", "share", row => sum === 0 ? 0 : 100 * row.total_ns / sum, row => `${(sum === 0 ? 0 : 100 * row.total_ns / sum).toFixed(1)} %`), kind: "share"},
        column("time", meanings.total, row => row.total_ns, row => time_text(row.total_ns)),
        column("calls", meanings.calls, row => row.calls, row => count_text(row.calls)),
        column("average", meanings.average, row => row.total_ns / row.calls, row => time_text(row.total_ns / row.calls)),
        column("least", meanings.least, row => row.min_ns, row => time_text(row.min_ns)),
        column("most", meanings.most, row => row.max_ns, row => time_text(row.max_ns)),
    ];
}
const GRID_TIMES = {total: "total", calls: "calls", average: "average", least: "least", most: "most"};
const CALLS = {latency: "calls", copy_time: "copy_calls", api_time: "api_calls", range_time: "range_calls"};
const OTHER_TIMES = kind => ({total: kind, calls: CALLS[kind], average: kind, least: kind, most: kind});

function text_column(title, meaning, value) {
    return {title, meaning, value, is_text: true, kind: "name"};
}

function bytes_columns() {
    const rate = row => row.total_ns === 0 ? 0 : row.bytes / row.total_ns * 1e9;
    return [
        {title: "bytes", meaning: "bytes", value: row => row.bytes, text: row => bytes_text(row.bytes)},
        {title: "rate", meaning: "rate", value: rate, text: row => `${bytes_text(rate(row))}/s`},
    ];
}

// One part of the profile under a heading. Nothing, if it has no rows.
function profile_part(to, title, rows, before, meanings, after) {
    if (!rows || rows.length === 0) {
        return;
    }
    to.append(make("h3", {}, title), numbers_table(title, [...before, ...time_columns(rows, meanings), ...after], rows));
}

function show_profile(data) {
    if (!data.profile) {
        return;
    }
    const profile = data.profile;
    const slow = data.counts ? " Counting (cdpcc --count) took a part of them: for times, build without it." : "";
    const part = section("tables", "Times", make("p", {class: "soft"}, `Click a heading to sort. Times are this machine's. Counts are the same on a GPU.${slow}`));
    const counted = (profile["kernels"] ?? []).map(row => counts_of_kernel(data.count_sums, row.name)).filter(Boolean);
    profile_part(part, "Kernels", profile["kernels"], [text_column("kernel", "kernel", row => row.name)], GRID_TIMES, [
        {title: "entry", meaning: "entry", value: row => row.entry, is_text: true},
        {title: "grid", meaning: "grid", value: row => row.grid, is_text: true},
        {title: "block", meaning: "block", value: row => row.block, is_text: true},
        ...kernel_count_columns(counted, row => counts_of_kernel(data.count_sums, row.name)),
    ]);
    profile_part(part, "Launches by kernels", profile["device launches"],
        [text_column("from → to", "pair", row => `${row.parent} → ${row.name}`)], OTHER_TIMES("latency"), []);
    profile_part(part, "Copies and fills", profile["copies and fills"],
        [text_column("direction", "direction", row => row.name)], OTHER_TIMES("copy_time"), bytes_columns());
    profile_part(part, "Calls by the host", profile["API calls"],
        [text_column("function", "api", row => row.name)], OTHER_TIMES("api_time"), []);
    profile_part(part, "Ranges of NVTX", profile["NVTX ranges"],
        [text_column("range", "range", row => row.name)], OTHER_TIMES("range_time"), []);
}
