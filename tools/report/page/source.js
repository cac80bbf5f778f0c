// The source files, with the findings at their lines.
const AROUND = 6, MOST_LINES = 300;
const WORDS_OF_CUDA = /^(?:__\w+__|threadIdx|blockIdx|blockDim|gridDim|warpSize|__\w+|cuda[A-Z]\w*|atomic[A-Z]\w*|dim3)$/;
const KEYWORDS = new Set(("auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for "
    + "friend goto if inline int long namespace new nullptr operator private protected public return short signed sizeof static struct switch template this "
    + "throw true try typedef typename union unsigned using virtual void volatile while").split(" "));
const TOKEN = /\/\*.*?(?:\*\/|$)|\/\/.*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|^\s*#\s*\w+|[A-Za-z_]\w*/g;

function line_id(data, file, line) {
    return `file-${Object.keys(data.sources).indexOf(file)}-line-${line}`;
}

function token_class(token) {
    if (token.startsWith("/*") || token.startsWith("//")) {
        return "comment";
    }
    if (token.startsWith("\"") || token.startsWith("'")) {
        return "string";
    }
    return WORDS_OF_CUDA.test(token) ? "cuda" : KEYWORDS.has(token) || /^\s*#/.test(token) ? "keyword" : undefined;
}

// The words of a line with their colours. Returns whether a comment goes on in the next line.
function colour_line(cell, text, is_in_comment) {
    let at = 0;
    if (is_in_comment) {
        const end = text.indexOf("*/");
        at = end < 0 ? text.length : end + 2;
        cell.append(make("span", {class: "comment"}, text.slice(0, at)));
        if (end < 0) {
            return true;
        }
    }
    const rest = text.slice(at);
    let done = 0, goes_on = false;
    for (const match of rest.matchAll(TOKEN)) {
        const kind = token_class(match[0]);
        cell.append(rest.slice(done, match.index), kind ? make("span", {class: kind}, match[0]) : match[0]);
        done = match.index + match[0].length;
        goes_on = match[0].startsWith("/*") && (match[0].length < 4 || !match[0].endsWith("*/"));
    }
    cell.append(rest.slice(done));
    return goes_on;
}

// What is said at each line of a file: lists of texts with a link to their finding.
function remarks_of(data, file) {
    const remarks = new Map();
    real_findings(data).forEach((finding, number) => (finding.places ?? []).forEach((place, i) => {
        if (place.file === file) {
            const at = remarks.get(place.line) ?? [];
            at.push({number, text: i === 0 ? `${finding.check}: ${finding.title}` : `${finding.check}: ${place.what ?? "the other place"}`});
            remarks.set(place.line, at);
        }
    }));
    return remarks;
}

// How many grids the lines of a file launched.
function launches_of(data, file) {
    const launches = new Map();
    for (const path of data.trace?.paths ?? []) {
        const site = path.site >= 0 ? data.trace.sites[path.site] : undefined;
        if (site?.file === file) {
            const at = launches.get(site.line) ?? new Map(), name = data.trace.names[path.name];
            launches.set(site.line, at.set(name, (at.get(name) ?? 0) + path.count));
        }
    }
    return launches;
}

// A line of its own below a line of the source. before: how many columns come before the source.
function note_row(before, attributes, ...children) {
    return make("tr", attributes, make("td", {colspan: before}), make("td", {}, ...children));
}

function launch_rows(launches, before) {
    const texts = [...launches ?? []].map(([name, count]) => `${several(count, "grid", "grids")} of ${name}`);
    return texts.length === 0 ? [] : [note_row(before, {class: "launch"}, `▸ launched ${texts.join(", ")}`)];
}

function remark_rows(remarks, before) {
    return (remarks ?? []).map(({number, text}) => note_row(before, {class: "remark"}, "▲ ", make("a", {href: `#finding-${number}`}, text)));
}

// The lines that recorded steps name.
function step_lines_of(data, file) {
    return (data.steps?.sites ?? []).filter(site => site.file === file).map(site => site.line);
}

// A source file, and what is said at its lines.
class SourceFile {
    constructor(data, file) {
        this.data = data;
        this.file = file;
        this.lines = data.sources[file].replace(/\n$/, "").split("\n");
        this.remarks = remarks_of(data, file);
        this.launches = launches_of(data, file);
        this.counts = data.count_sums;
        this.columns = this.counts?.columns_of(file) ?? [];
        this.sums = this.counts?.lines_of(file) ?? new Map();
        const marked = [...this.remarks.keys(), ...this.launches.keys(), ...this.sums.keys(), ...step_lines_of(data, file)];
        this.near = new Set(marked.flatMap(line => Array.from({length: 2 * AROUND + 1}, (_, i) => line - AROUND + i)));
        this.body = make("tbody");
        this.fill(this.lines.length <= MOST_LINES || marked.length === 0);
    }
    // The row of a line, and what is said below it. Returns them, and whether a comment goes on.
    rows(text, line, is_in_comment) {
        const code = make("td", {class: "code"}), before = this.columns.length + 1;
        const goes_on = colour_line(code, text, is_in_comment);
        const row = make("tr", {id: line_id(this.data, this.file, line), class: this.remarks.has(line) ? "marked" : ""},
            ...count_cells(this.counts, this.columns, this.sums.get(line)), make("td", {class: "number"}, String(line)), code);
        return {rows: [row, ...remark_rows(this.remarks.get(line), before), ...launch_rows(this.launches.get(line), before)], goes_on};
    }
    // All lines of a short file. Of a long one those around the marked lines, until all are asked for.
    fill(shows_all) {
        let is_in_comment = false, is_gap = false;
        this.is_whole = shows_all;
        this.body.replaceChildren();
        this.lines.forEach((text, i) => {
            const {rows, goes_on} = this.rows(text, i + 1, is_in_comment), shows = shows_all || this.near.has(i + 1);
            is_in_comment = goes_on;
            if (shows) {
                this.body.append(...rows);
            } else if (!is_gap) {
                this.body.append(note_row(this.columns.length + 1, {}, make("button", {onclick: () => this.fill(true)}, `… all ${this.lines.length} lines`)));
            }
            is_gap = !shows;
        });
    }
    table() {
        const table = make("table", {class: "source", "aria-label": this.file}, this.columns.length > 0 ? count_heads(this.columns) : null, this.body);
        return this.columns.length > 0 ? make("div", {class: "scroll counted", tabindex: 0, role: "region", "aria-label": `${short_name(this.file)} with counts`}, table) : table;
    }
}

// Makes sure that the line of a link is in the page: of a long file it may be left out.
function bring_line(files, link) {
    const parts = /^#file-(\d+)-line-\d+$/.exec(link ?? ""), file = parts && files[Number(parts[1])];
    if (file && !file.is_whole && !document.getElementById(link.slice(1))) {
        file.fill(true);
        return true;
    }
    return false;
}

// A click on a link brings its line before the browser goes there, and so does a page that is
// opened with the link in its address.
function follow_links(files) {
    while_shown(document, "click", event => bring_line(files, event.target.closest?.("a[href^='#file-']")?.getAttribute("href")), {capture: true});
    const go = () => bring_line(files, location.hash) && location.replace(location.hash);
    while_shown(window, "hashchange", go);
    go();
}

function show_source(data) {
    const names = Object.keys(data.sources);
    if (names.length === 0) {
        return;
    }
    const part = section("source", "The source", make("p", {class: "soft"}, "▲ marks a finding, and a click on it leads there. ▸ says what the line launched.",
        data.counts ? " The numbers at the left are the counts of the line: point at one for what it means." : ""));
    part.classList.add("long");
    const files = names.map(name => new SourceFile(data, name));
    files.forEach(file => part.append(make("h3", {title: file.file}, short_name(file.file)), file.table()));
    follow_links(files);
}
