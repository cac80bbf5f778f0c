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

function launch_rows(launches) {
    const texts = [...launches ?? []].map(([name, count]) => `${several(count, "grid", "grids")} of ${name}`);
    return texts.length === 0 ? [] : [make("tr", {class: "launch"}, make("td"), make("td", {}, `▸ launched ${texts.join(", ")}`))];
}

function source_row(data, file, line, text, is_in_comment, is_marked) {
    const code = make("td", {class: "code"});
    const goes_on = colour_line(code, text, is_in_comment);
    const row = make("tr", {id: line_id(data, file, line), class: is_marked ? "marked" : ""}, make("td", {class: "number"}, String(line)), code);
    return {row, goes_on};
}

function remark_rows(remarks) {
    return remarks.map(({number, text}) => make("tr", {class: "remark"}, make("td"), make("td", {}, "▲ ", make("a", {href: `#finding-${number}`}, text))));
}

// All lines of a short file. Of a long one those around the marked lines, until all are asked for.
function source_table(data, file) {
    const lines = data.sources[file].replace(/\n$/, "").split("\n"), remarks = remarks_of(data, file);
    const launches = launches_of(data, file), marked = [...remarks.keys(), ...launches.keys()];
    const is_near = line => marked.some(other => Math.abs(other - line) <= AROUND);
    const body = make("tbody");
    const fill = shows_all => {
        let is_in_comment = false, is_gap = false;
        body.replaceChildren();
        lines.forEach((text, i) => {
            const {row, goes_on} = source_row(data, file, i + 1, text, is_in_comment, remarks.has(i + 1));
            is_in_comment = goes_on;
            if (shows_all || is_near(i + 1)) {
                body.append(row, ...remark_rows(remarks.get(i + 1) ?? []), ...launch_rows(launches.get(i + 1)));
                is_gap = false;
            } else if (!is_gap) {
                is_gap = true;
                body.append(make("tr", {}, make("td"), make("td", {}, make("button", {onclick: () => fill(true)}, `… all ${lines.length} lines`))));
            }
        });
    };
    fill(lines.length <= MOST_LINES || marked.length === 0);
    return make("table", {class: "source", "aria-label": file}, body);
}

function show_source(data) {
    const files = Object.keys(data.sources);
    if (files.length === 0) {
        return;
    }
    const part = section("source", "The source", make("p", {class: "soft"}, "▲ marks a finding, and a click on it leads there. ▸ says what the line launched."));
    part.classList.add("long");
    for (const file of files) {
        part.append(make("h3", {title: file}, short_name(file)), source_table(data, file));
    }
}
