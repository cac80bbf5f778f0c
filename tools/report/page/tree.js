// The launch tree: a line for each chain of kernels, below it the chains that go on from there, and
// the single grids. Lines are made when their parent is opened.
const GRIDS_AT_ONCE = 50;

const TREE_COLUMNS = [
    ["kernel", "tree_kernel"], ["grids", "calls"], ["time", "total"], ["average", "average"],
    ["waited", "waited"], ["grid × block", "tree_sizes"], ["launched at", "tree_site"],
];

// The tree's data: children of paths and of grids.
class Launches {
    constructor(data) {
        const {trace} = data;
        this.data = data;
        this.trace = trace;
        this.below = trace.paths.map(() => []);
        this.grids_of = trace.paths.map(() => []);
        this.children = new Map();
        trace.paths.forEach((path, i) => path.parent >= 0 && this.below[path.parent].push(i));
        for (const paths of this.below) {
            paths.sort((a, b) => trace.paths[b].total - trace.paths[a].total);
        }
        trace.grids.path.forEach((path, i) => this.grids_of[path].push(i));
        trace.grids.parent.forEach((parent, i) => this.add_child(parent, i));
    }
    add_child(parent, grid) {
        if (parent >= 0 && !this.children.has(parent)) {
            this.children.set(parent, []);
        }
        this.children.get(parent)?.push(grid);
    }
    // The line of a launch.
    site_link(site) {
        return site === -2 ? "several lines" : site < 0 ? "" : line_link(this.data, this.trace.sites[site]);
    }
    // How many grids are at and below a path.
    all_below(path) {
        const own = this.trace.paths[path];
        return own.count + own.others + this.below[path].reduce((sum, child) => sum + this.all_below(child), 0);
    }
}

// One line of the tree. children() gives the lines below it, or is null.
function path_line(launches, number) {
    const {trace} = launches, path = trace.paths[number], name = trace.names[path.name];
    const grids = launches.grids_of[number], below = launches.below[number];
    const lines = () => [
        ...(path.count > 1 && grids.length > 0 ? [grids_line(launches, number)] : []),
        ...below.map(child => path_line(launches, child)),
        ...others_line(path),
    ];
    return {
        label: name, colour: colour_of(name), share: path.total / launches.greatest,
        cells: [count_text(path.count), time_text(path.total), time_text(path.total / path.count), time_text(path.waited / path.count),
            `${size_text(path.low.slice(0, 3), path.high.slice(0, 3))} × ${size_text(path.low.slice(3), path.high.slice(3))}`,
            launches.site_link(path.site)],
        grid: path.count === 1 ? grids[0] : undefined,
        children: below.length > 0 || path.others > 0 || path.count > 1 ? lines : null,
    };
}

function others_line(path) {
    return path.others === 0 ? [] : [{
        label: "grids of further chains, which are too many to show", cells: [count_text(path.others), "", "", "", "", ""], children: null,
    }];
}

function grids_line(launches, number) {
    const grids = launches.grids_of[number], all = launches.trace.paths[number].count;
    const label = grids.length === all ? `each of the ${count_text(all)} grids` : `the longest ${count_text(grids.length)} of the ${count_text(all)} grids`;
    return {label, cells: [], children: () => grid_lines(launches, grids, 0)};
}

function grid_lines(launches, grids, from) {
    const lines = grids.slice(from, from + GRIDS_AT_ONCE).map(grid => grid_line(launches, grid));
    const left = grids.length - from - GRIDS_AT_ONCE;
    return left <= 0 ? lines : [...lines, {
        label: `${count_text(left)} more`, cells: [], children: () => grid_lines(launches, grids, from + GRIDS_AT_ONCE),
    }];
}

function grid_line(launches, grid) {
    const {trace} = launches, table = trace.grids, name = trace.names[table.name[grid]];
    const children = launches.children.get(grid);
    const size = table.size[grid];
    return {
        label: `${name} at ${time_text(table.began[grid])}`, colour: colour_of(name), share: table.lasted[grid] / launches.greatest,
        cells: ["1", time_text(table.lasted[grid]), "", time_text(table.waited[grid]), `(${size.slice(0, 3)}) × (${size.slice(3)})`,
            launches.site_link(table.site[grid])],
        grid, children: children ? () => grid_lines(launches, children, 0) : null,
    };
}

// ---- Elements ----

function tree_row(line, level) {
    const twisty = make("span", {class: "twisty", "aria-hidden": "true"}, line.children ? "▸" : "");
    const kernel = line.colour ? make("span", {class: "kernel", "--colour": line.colour}, line.label) : make("em", {}, line.label);
    const label = make("span", {class: "label", "--level": level}, twisty, kernel);
    if (line.grid !== undefined) {
        label.append(" ", make("button", {class: "screen", tabindex: -1, title: "Show this grid in the timeline (key t)"}, "timeline"));
    }
    if (line.cells.length === 0) {
        return make("div", {class: "row wide"}, label);
    }
    const cells = line.cells.map((text, i) => {
        const attributes = {title: MEANING[TREE_COLUMNS[i + 1][1]]};
        if (i === 1 && line.share) {
            Object.assign(attributes, {class: "length", "--share": Math.max(1, 100 * line.share)});
        }
        return make("span", attributes, text);
    });
    return make("div", {class: "row"}, label, ...cells);
}

function tree_item(line, level) {
    const item = make("li", {role: "treeitem", tabindex: -1, "aria-level": level + 1}, tree_row(line, level));
    if (line.children) {
        item.setAttribute("aria-expanded", "false");
    }
    item.line = line;
    item.level = level;
    return item;
}

function set_open(item, opens) {
    if (!item.line.children || (item.getAttribute("aria-expanded") === "true") === opens) {
        return;
    }
    item.setAttribute("aria-expanded", String(opens));
    item.querySelector(".twisty").textContent = opens ? "▾" : "▸";
    if (!opens) {
        item.lastElementChild.remove();
    } else {
        item.append(make("ul", {role: "group"}, ...item.line.children().map(line => tree_item(line, item.level + 1))));
    }
}

function move_to(tree, item) {
    if (item) {
        tree.querySelector("[tabindex='0'][role=treeitem]")?.setAttribute("tabindex", -1);
        item.setAttribute("tabindex", 0);
        item.focus();
    }
}

function tree_key(tree, event, show_grid) {
    if (event.target.tagName === "A") {
        return; // a link in the line
    }
    const item = event.target.closest("[role=treeitem]");
    const all = [...tree.querySelectorAll("[role=treeitem]")], at = all.indexOf(item);
    const is_open = item.getAttribute("aria-expanded") === "true";
    const toggle = () => set_open(item, !is_open);
    const actions = {
        ArrowDown: () => move_to(tree, all[at + 1]),
        ArrowUp: () => move_to(tree, all[at - 1]),
        ArrowRight: () => is_open ? move_to(tree, all[at + 1]) : set_open(item, true),
        ArrowLeft: () => is_open ? set_open(item, false) : move_to(tree, item.parentElement.closest("[role=treeitem]")),
        Home: () => move_to(tree, all[0]),
        End: () => move_to(tree, all[all.length - 1]),
        Enter: toggle, " ": toggle,
        t: () => item.line.grid !== undefined && show_grid(item.line.grid),
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        actions[event.key]();
    }
}

function tree_click(tree, event, show_grid) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) {
        return;
    }
    if (event.target.tagName === "A") {
        return;
    }
    if (event.target.tagName === "BUTTON") {
        show_grid(item.line.grid);
        return;
    }
    move_to(tree, item);
    set_open(item, item.getAttribute("aria-expanded") !== "true");
}

// Opens lines from the top as long as few are visible.
function open_some(tree) {
    for (let at = 0; at < 12; at++) {
        const item = tree.querySelectorAll("[role=treeitem]")[at];
        if (!item || tree.querySelectorAll("[role=treeitem]").length > 14) {
            return;
        }
        if (item.line.children && item.line.colour) {
            set_open(item, true);
        }
    }
}

function root_lines(launches) {
    const lines = launches.below[0].map(path => path_line(launches, path));
    const lost = launches.below[1];
    if (lost.length > 0) {
        lines.push({label: "launched by grids that the trace left out", cells: [count_text(launches.all_below(1)), "", "", "", "", ""],
            children: () => lost.map(path => path_line(launches, path))});
    }
    return [...lines, ...others_line(launches.trace.paths[0])];
}

// What the reader should know of a trace that does not have all events.
function trace_note(trace) {
    const text = trace.dropped > 0
        ? `The run had so many events that the trace left out ${count_text(trace.dropped)} of them, evenly. What you see here is made of the others. The tables of times count all.`
        : trace.is_whole ? "" : "The trace has no end: the program was stopped while it wrote it.";
    return text === "" ? undefined : make("p", {class: "note"}, text);
}

function show_tree(data, show_grid) {
    const trace = data.trace;
    if (!trace || trace.grids.count === 0) {
        return;
    }
    const launches = new Launches(data);
    launches.greatest = Math.max(1, ...trace.paths.map(path => path.total));
    const head = make("div", {class: "row head"}, ...TREE_COLUMNS.map(([word, key]) => make("span", {title: MEANING[key]}, word)));
    const tree = make("ul", {role: "tree", "aria-label": "Launch tree"}, ...root_lines(launches).map(line => tree_item(line, 0)));
    tree.addEventListener("keydown", event => tree_key(tree, event, show_grid));
    tree.addEventListener("click", event => tree_click(tree, event, show_grid));
    tree.firstElementChild?.setAttribute("tabindex", 0);
    open_some(tree);
    section("tree", "What launched what",
        make("p", {class: "soft"}, "Grids of the host are at the left; what a kernel launches stands below it. A click opens a line. Keys: ",
            make("kbd", {}, "↑"), " ", make("kbd", {}, "↓"), " move, ", make("kbd", {}, "→"), " opens, ", make("kbd", {}, "←"), " closes, ",
            make("kbd", {}, "t"), " shows a single grid in the timeline."),
        trace_note(trace), make("div", {class: "tree"}, head, tree), legend(TREE_COLUMNS));
}
