// What a build with cdpcc --count counted: sums for each line of the source, what they cost, and
// the instructions of each kernel. The names are those of metrics of Nsight Compute. Members that
// are not known here are passed over, so the file may get more of them.
const REQUESTS = "smsp__inst_executed.sum", LANES = "smsp__thread_inst_executed.sum";
const WARP = 32, SECTOR_BYTES = 32, WORST_LINES = 5;

function number_of(object, name) {
    return typeof object[name] === "number" ? object[name] : 0;
}

// The sum of the members whose names begin so: the end is the operation (op_ld.sum).
function metric(site, start) {
    return Object.keys(site).filter(name => name.startsWith(start)).reduce((sum, name) => sum + number_of(site, name), 0);
}

function no_sums() {
    return {requests: 0, lanes: 0, global: 0, sectors: 0, bytes: 0, banks: 0, atomics: 0, branches: 0, divergent: 0, instructions: 0};
}

function add_site(sums, site) {
    const requests = number_of(site, REQUESTS);
    sums.requests += requests;
    sums.lanes += number_of(site, LANES);
    sums.banks += metric(site, "l1tex__data_bank_conflicts_");
    sums.atomics += number_of(site, "atomic_conflicts");
    if (site.space === "global") {
        sums.global += requests;
        sums.bytes += number_of(site, "bytes");
        sums.sectors += metric(site, "l1tex__t_sectors_");
    }
    if (site.operation === "branch") {
        sums.branches += requests;
        sums.divergent += number_of(site, "divergent_branches");
    }
}

// How few sectors the bytes need, at least one for each request.
function least_sectors(sums) {
    return Math.max(sums.global, sums.bytes / SECTOR_BYTES);
}

// A column of the annotated source. cost is what is lost on a GPU there, in requests or sectors: it
// gives the heat. said is the sentence on a line that costs much.
const COUNT_COLUMNS = [
    {key: "instructions", title: "instr.", has: sums => sums.instructions > 0, text: sums => count_text(sums.instructions), busy: sums => sums.instructions},
    {key: "requests", title: "requests", has: sums => sums.requests > 0, text: sums => count_text(sums.requests), busy: sums => sums.requests},
    {
        key: "lanes", title: "lanes", has: sums => sums.requests > 0, text: sums => (sums.lanes / sums.requests).toFixed(1),
        cost: sums => sums.requests - sums.lanes / WARP,
        said: sums => `${(sums.lanes / sums.requests).toFixed(1)} of 32 lanes are active: branches or loops around the line diverge, or the block has a part of a warp. A GPU takes the same time for 1 lane as for 32.`,
    },
    {
        key: "sectors", title: "sectors", has: sums => sums.global > 0, text: sums => (sums.sectors / sums.global).toFixed(1),
        cost: sums => Math.max(0, sums.sectors - least_sectors(sums)),
        said: sums => `${(sums.sectors / sums.global).toFixed(1)} sectors a request, where ${(least_sectors(sums) / sums.global).toFixed(1)} would do: the access is not coalesced. Let neighbouring lanes access neighbouring addresses.`,
    },
    {
        key: "banks", title: "banks", has: sums => sums.banks > 0, text: sums => count_text(sums.banks), cost: sums => sums.banks,
        said: sums => `${several(sums.banks, "bank conflict", "bank conflicts")} of shared memory: lanes access different words of one bank, and a GPU serves them one after the other. A row that is one element longer often helps.`,
    },
    {
        key: "atomics", title: "atomics", has: sums => sums.atomics > 0, text: sums => count_text(sums.atomics), cost: sums => sums.atomics,
        said: sums => `${several(sums.atomics, "atomic operation waits", "atomic operations wait")} for another one of the same warp at the same address. Add within the warp first, and let one lane do the rest.`,
    },
    {
        key: "divergent", title: "divergent", has: sums => sums.branches > 0, text: sums => `${count_text(sums.divergent)} of ${count_text(sums.branches)}`,
        cost: sums => sums.divergent,
        said: sums => `${count_text(sums.divergent)} of ${several(sums.branches, "branch", "branches")} diverge: lanes of one warp take different sides, and a GPU runs one side after the other.`,
    },
];

class Counts {
    constructor(counts) {
        this.kernels = Array.isArray(counts.kernels) ? counts.kernels : [];
        this.files = new Map();
        for (const site of counts.sites ?? []) {
            add_site(this.sums_at(site.file, site.line), site);
        }
        for (const line of Array.isArray(counts.lines) ? counts.lines : []) {
            this.sums_at(line.file, line.line).instructions += number_of(line, REQUESTS);
        }
        const all = this.all_lines().map(({sums}) => sums);
        this.columns = COUNT_COLUMNS.filter(column => all.some(column.has));
        this.most = new Map(this.columns.map(column => [column, all.reduce((most, sums) => Math.max(most, this.weight(column, sums)), 0)]));
    }
    sums_at(file, line) {
        const lines = this.files.get(file) ?? new Map(), sums = lines.get(line) ?? no_sums();
        this.files.set(file, lines.set(line, sums));
        return sums;
    }
    all_lines() {
        return [...this.files].flatMap(([file, lines]) => [...lines].map(([line, sums]) => ({file, line, sums})));
    }
    lines_of(file) {
        return this.files.get(file) ?? new Map();
    }
    // Those that any line of the file has.
    columns_of(file) {
        const all = [...this.lines_of(file).values()];
        return this.columns.filter(column => all.some(column.has));
    }
    weight(column, sums) {
        return column.has(sums) ? (column.cost ?? column.busy)(sums) : 0;
    }
    // From 0 to 1: against the greatest of the column.
    heat(column, sums) {
        const most = this.most.get(column);
        return most > 0 ? this.weight(column, sums) / most : 0;
    }
    // The lines that lose most, each with the column that says why.
    worst() {
        const costs = this.all_lines().flatMap(place => this.columns.filter(column => column.cost && column.has(place.sums))
            .map(column => ({...place, column, cost: column.cost(place.sums)})));
        return costs.filter(({cost}) => cost > 0).sort((a, b) => b.cost - a.cost).slice(0, WORST_LINES);
    }
}

// The cells of a line before its number. Without counts they are empty.
function count_cells(counts, columns, sums) {
    return columns.map(column => {
        if (!sums || !column.has(sums)) {
            return make("td", {class: "count"});
        }
        const heat = counts.heat(column, sums), said = heat > 0 && column.said ? `${column.said(sums)} ` : "";
        return make("td", {class: column.cost ? "count hot" : "count busy", "--heat": heat.toFixed(3), title: said + MEANING[`count_${column.key}`]}, column.text(sums));
    });
}

function count_heads(columns) {
    return make("thead", {}, make("tr", {}, ...columns.map(column => make("th", {class: "count", scope: "col", title: MEANING[`count_${column.key}`]}, column.title)),
        make("th", {class: "count", scope: "col"}, "line"), make("th", {class: "text", scope: "col"}, "source")));
}

// ---- Kernels ----

function counts_of_kernel(counts, name) {
    return counts?.kernels.find(kernel => kernel.kernel === name);
}

function percent_text(part, whole) {
    return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : "";
}

// A column of a table whose rows may have no counts.
function kernel_column(title, meaning, of, value, text) {
    return {title, meaning, value: row => of(row) ? value(of(row)) : -1, text: row => of(row) ? text(of(row)) : ""};
}

// What is known of kernels by their counts; of(row) is the kernel, or nothing.
function kernel_count_columns(kernels, of) {
    const lanes = kernel => number_of(kernel, LANES) / Math.max(1, number_of(kernel, REQUESTS));
    const share = kernel => number_of(kernel, "divergent_branches") / Math.max(1, number_of(kernel, "branches"));
    const columns = [
        ["occupancy", kernel_column("occupancy", "occupancy", of, kernel => kernel.occupancy ?? -1, kernel => kernel.occupancy === undefined ? "" : percent_text(kernel.occupancy, 1))],
        [REQUESTS, kernel_column("instructions", "warp_instructions", of, kernel => number_of(kernel, REQUESTS), kernel => count_text(number_of(kernel, REQUESTS)))],
        [LANES, kernel_column("lanes", "kernel_lanes", of, lanes, kernel => number_of(kernel, REQUESTS) > 0 ? lanes(kernel).toFixed(1) : "")],
        ["divergent_branches", kernel_column("divergent", "kernel_divergent", of, share,
            kernel => number_of(kernel, "branches") > 0 ? `${percent_text(share(kernel), 1)} of ${count_text(number_of(kernel, "branches"))}` : "")],
    ];
    return columns.filter(([member]) => kernels.some(kernel => kernel[member] !== undefined)).map(([, column]) => column);
}

// How much of the kernel ran.
function size_columns(kernels) {
    const names = ["launches", "warps", "threads"].filter(name => kernels.some(kernel => kernel[name] !== undefined));
    return names.map(name => kernel_column(name, `counted_${name}`, kernel => kernel[name] === undefined ? undefined : kernel,
        kernel => number_of(kernel, name), kernel => count_text(number_of(kernel, name))));
}

// A column for each class of instructions that any kernel has.
function class_columns(kernels) {
    const of = (kernel, name) => number_of(kernel.instructions ?? {}, name);
    const all = kernel => Object.keys(kernel.instructions ?? {}).reduce((sum, name) => sum + of(kernel, name), 0);
    const names = new Set(kernels.flatMap(kernel => Object.keys(kernel.instructions ?? {}).filter(name => of(kernel, name) > 0)));
    return [...names].map(name => ({
        title: name.replaceAll("_", " "), meaning: MEANING[`class_${name}`] ? `class_${name}` : "class_unknown",
        value: kernel => of(kernel, name) / Math.max(1, all(kernel)), text: kernel => percent_text(of(kernel, name), all(kernel)),
    }));
}

function kernels_part(to, counts) {
    if (counts.kernels.length === 0) {
        return;
    }
    const {kernels} = counts;
    to.append(make("h3", {}, "Instructions of each kernel"), numbers_table("Instructions of each kernel", [
        text_column("kernel", "counted_kernel", row => String(row.kernel ?? "")), ...size_columns(kernels), ...kernel_count_columns(kernels, row => row), ...class_columns(kernels)], kernels));
}

function worst_part(to, data, counts) {
    const worst = counts.worst();
    if (worst.length === 0) {
        to.append(make("p", {class: "good"}, "No line has idle lanes, scattered accesses, conflicts or divergent branches."));
        return;
    }
    to.append(make("p", {}, "The lines that lose most:"),
        make("ol", {class: "worst"}, ...worst.map(({file, line, sums, column}) => make("li", {}, line_link(data, {file, line}), " ", column.said(sums)))));
}

function show_counts(data) {
    if (!data.counts) {
        return;
    }
    const counts = data.count_sums;
    const part = section("counts", "What costs time on a GPU",
        make("p", {class: "soft"}, "Counted by cdpcc --count: requests of warps, the same on a GPU as far as its compiler makes the same instructions. The source below has the counts of each line; the stronger a cell's colour, the more is lost there."));
    worst_part(part, data, counts);
    part.append(legend(counts.columns.map(column => [column.title, `count_${column.key}`])));
    kernels_part(part, counts);
}
