// Builds the page from the data.
function card(term, value, key, is_bad) {
    return make("div", {class: "card"}, make("dt", {}, term),
        make("dd", {}, make("div", {class: is_bad ? "value bad" : "value"}, value), make("div", {class: "means"}, MEANING[key])));
}

// The end of the program in words.
function end_text(program) {
    return program.signal ? `${program.signal} (signal ${program.status - 128})` : `exit status ${program.status}`;
}

function profile_cards(data) {
    const profile = data.profile;
    if (!profile) {
        return [];
    }
    const sum = (rows, key) => (rows ?? []).reduce((all, row) => all + row[key], 0);
    const bytes = (profile["copies and fills"] ?? []).filter(row => /host/.test(row.name) && /device/.test(row.name)).reduce((all, row) => all + row.bytes, 0);
    return [
        card("grids", count_text(sum(profile["kernels"], "calls")), "grids"),
        card("of them launched by kernels", count_text(sum(profile["device launches"], "calls")), "device_launches"),
        card("copied between host and device", bytes_text(bytes), "copied"),
    ];
}

function trace_cards(data) {
    const trace = data.trace;
    if (!trace) {
        return [];
    }
    const workers = trace.tracks.filter(track => track.process === "workers").length;
    return [card("greatest depth of launches", String(trace.deepest), "depth"), card("workers that ran blocks", String(workers), "workers")];
}

function finding_cards(data) {
    if (!has_checks(data)) {
        return [];
    }
    const count = summary_of(data)?.findings ?? real_findings(data).length;
    return [card("mistakes found", count_text(count), "findings", count > 0)];
}

function show_overview(data, choice) {
    const {program} = data, command = program.command.join(" ");
    document.getElementById("header").replaceChildren(make("h1", {class: "mono"}, command),
        make("p", {class: "soft"}, "One run of a CUDA program on a CPU, recorded by cdp-report. Point at a number, or open “What the numbers mean”, for its meaning on a GPU."), ...choice);
    const part = section("overview", "Overview", make("dl", {class: "cards"},
        card("time of the program", time_text(program.lasted), "program_time"),
        card("end", end_text(program), "exit", program.status !== 0), ...profile_cards(data), ...trace_cards(data), ...finding_cards(data)));
    if (!data.trace || !data.profile) {
        part.append(make("p", {class: "note bad"}, missing_text(data)));
    }
    if (data.findings && !has_checks(data)) {
        part.append(make("p", {class: "note"}, "The program was built without checks. Compile it with cdpcc --check, and the page shows its mistakes at their lines."));
    }
}

function missing_text({program, processes}) {
    return program.signal && processes.length === 1
        ? "The program was ended by a signal. The trace and the profile are written at the end of a program, so there are none: the tree, the timeline and the tables are missing."
        : "The program wrote no trace or no profile: it did not end by exit() or by the end of main, or it uses no CUDA from cdpcc. The tree, the timeline and the tables are missing.";
}

function show_errors(data) {
    const {program} = data;
    if (program.errors === "") {
        return;
    }
    const part = section("errors", "Standard error", make("pre", {tabindex: 0, "aria-label": "What the program printed to standard error"}, program.errors));
    if (program.errors_are_cut) {
        part.append(make("p", {class: "note"}, "Only the beginning is shown."));
    }
}

// ---- Several processes ----

// Ranks of MPI in their order; else as the program started them.
function processes_in_order(data) {
    const rank = process => Number(process.trace?.rank ?? Infinity);
    return [...data.processes].sort((a, b) => rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0);
}

function process_text(process) {
    const {rank, program} = process.trace ?? {}, mistakes = real_findings(process).length;
    return [rank ? `rank ${rank}` : "", program ?? "", process.number > 0 ? `process ${process.number}` : "",
        mistakes > 0 ? several(mistakes, "mistake", "mistakes") : "", process.trace ? "" : "ended early"].filter(text => text !== "").join(", ");
}

// What chooses the process that the page shows.
function process_choice(data, processes, process) {
    if (processes.length === 1) {
        return [];
    }
    const choice = make("select", {id: "process"}, ...processes.map((other, i) => make("option", {value: i, selected: other === process}, process_text(other))));
    choice.addEventListener("change", () => {
        show_process(data, processes, processes[Number(choice.value)]);
        document.getElementById("process").focus();
    });
    const left_out = data.processes_left_out > 0 ? ` ${several(data.processes_left_out, "further process is", "further processes are")} left out.` : "";
    return [make("p", {class: "controls process"}, make("label", {for: "process"}, `The run had ${count_text(processes.length + data.processes_left_out)} processes that use CUDA. The page shows:`), choice, left_out)];
}

// The files that the data of a process names. Columns of numbers name none.
function files_named(value, files) {
    if (Array.isArray(value)) {
        if (typeof value[0] !== "number") {
            value.forEach(element => files_named(element, files));
        }
    } else if (value && typeof value === "object") {
        files.add(value.file);
        Object.values(value).forEach(member => files_named(member, files));
    }
    return files;
}

function sources_of(all, process) {
    const files = files_named(process, new Set());
    return Object.fromEntries(Object.entries(all.sources).filter(([name]) => files.has(name)));
}

function show_process(all, processes, process) {
    shown.abort();
    shown = new AbortController();
    document.getElementById("main").replaceChildren();
    document.getElementById("contents").replaceChildren();
    const data = {...all, ...process, sources: sources_of(all, process), count_sums: process.counts ? new Counts(process.counts) : undefined};
    let timeline;
    show_overview(data, process_choice(all, processes, process));
    show_findings(data);
    show_tree(data, grid => timeline.show_slice(grid));
    timeline = show_timeline(data);
    show_steps(data);
    show_profile(data);
    show_counts(data);
    show_source(data);
    show_errors(data);
    while_shown(window, "beforeprint", () => document.querySelectorAll("details").forEach(element => element.open = true));
    timeline?.draw();
}

function show_page() {
    const data = JSON.parse(document.getElementById("data").textContent), processes = processes_in_order(data);
    show_process(data, processes, processes[0]);
}
show_page();
