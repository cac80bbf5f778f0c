// One block, step by step: a cell for each thread, a row for each warp.
const STEP = {BARRIER: 0, OPEN: 1, WARP: 2, MET: 3, END: 4};
const CELLS = {
    none: ["·", "has not come to a barrier or warp operation yet"],
    barrier: ["B", "waits at __syncthreads() for the other threads of the block"],
    warp: ["W", "waits at a warp operation for the lanes of its mask"],
    ready: ["R", "was released: it runs, can run, or waits for what is not recorded, as child grids and named barriers"],
    ended: ["E", "has ended"],
};

// What each thread does after the first `count` steps.
function cells_after(record, count) {
    const threads = record.block_dim.reduce((all, size) => all * size, 1);
    const cells = new Array(threads).fill("none");
    for (const [, kind, thread, , lanes] of record.steps.slice(0, count)) {
        if (kind === STEP.OPEN) {
            cells.forEach((cell, i) => cells[i] = cell === "barrier" ? "ready" : cell);
        } else if (kind === STEP.MET) {
            for (let lane = 0; lane < 32; lane++) {
                if (lanes >>> lane & 1 && cells[thread + lane] === "warp") {
                    cells[thread + lane] = "ready";
                }
            }
        } else {
            cells[thread] = kind === STEP.BARRIER ? "barrier" : kind === STEP.WARP ? "warp" : "ended";
        }
    }
    return cells;
}

function thread_text(record, thread) {
    const [x, y] = record.block_dim;
    return `thread (${thread % x},${Math.floor(thread / x) % y},${Math.floor(thread / x / y)})`;
}

function is_release(step) {
    return step[1] === STEP.OPEN || step[1] === STEP.MET;
}

// The latest step in words.
function step_text(data, record, count, cells) {
    if (count === 0) {
        return ["Nothing has happened yet."];
    }
    const [, kind, thread, site, lanes] = record.steps[count - 1], at = record.sites[site];
    const waiting = kind => cells.filter(cell => cell === kind).length;
    const here = at ? [` ${at.operation}`, ...(at.line ? [" at ", line_link(data, at)] : [])] : [];
    const texts = {
        [STEP.BARRIER]: () => [`${thread_text(record, thread)} arrives at`, ...here, `. ${several(waiting("barrier"), "thread waits", "threads wait")} at barriers.`],
        [STEP.OPEN]: () => ["All threads of the block that have not ended have arrived: the barrier opens, and they go on."],
        [STEP.WARP]: () => [`${thread_text(record, thread)}, lane ${thread % 32} of warp ${Math.floor(thread / 32)}, arrives at`, ...here,
            `. Its mask is 0x${(lanes >>> 0).toString(16).padStart(8, "0")}.`],
        [STEP.MET]: () => [`All lanes of the mask have arrived: ${several(bits(lanes), "lane", "lanes")} of warp ${thread / 32} get the result and go on.`],
        [STEP.END]: () => [`${thread_text(record, thread)} has ended.`],
    };
    return texts[kind]();
}

function bits(number) {
    let count = 0;
    for (let lane = 0; lane < 32; lane++) {
        count += number >>> lane & 1;
    }
    return count;
}

class Steps {
    constructor(data) {
        this.data = data;
        this.record = data.steps;
        this.count = 0;
        this.text = make("p", {id: "step-text", "aria-live": "polite"});
        this.cells = cells_after(this.record, 0).map((_, thread) => make("span", {class: "thread", "data-thread": thread}));
        this.slider = make("input", {type: "range", min: 0, max: this.record.steps.length, value: 0, "aria-label": "Step",
            oninput: () => this.go(Number(this.slider.value))});
        this.place = make("output", {id: "step-place", class: "soft"});
        this.go(0);
        while_shown(shown.signal, "abort", () => clearInterval(this.timer));
    }
    go(count) {
        const {record} = this;
        this.count = Math.max(0, Math.min(record.steps.length, count));
        const last = record.steps[this.count - 1];
        this.slider.value = this.count;
        const states = cells_after(record, this.count);
        this.cells.forEach((cell, thread) => {
            const now = last && (is_release(last) ? false : last[2] === thread);
            cell.className = `thread ${states[thread]}${now ? " now" : ""}`;
            cell.textContent = CELLS[states[thread]][0];
            cell.title = `${thread_text(record, thread)} ${CELLS[states[thread]][1]}`;
        });
        this.text.replaceChildren(...step_text(this.data, record, this.count, states));
        const time = last ? `, ${time_text(last[0])} after the start of the block` : "";
        this.place.textContent = `step ${count_text(this.count)} of ${count_text(record.steps.length)}${time}`;
    }
    // To the next release of threads, or to the one before.
    go_to_release(step) {
        let at = this.count + step;
        while (at > 0 && at < this.record.steps.length && !is_release(this.record.steps[at - 1])) {
            at += step;
        }
        this.go(at);
    }
    // Plays so that any block takes about a quarter of a minute.
    play() {
        const stops = this.timer !== undefined;
        clearInterval(this.timer);
        this.timer = undefined;
        this.player.textContent = stops ? "play" : "pause";
        if (stops) {
            return;
        }
        const at_once = Math.max(1, Math.round(this.record.steps.length / 400));
        if (this.count === this.record.steps.length) {
            this.go(0);
        }
        this.timer = setInterval(() => {
            this.go(this.count + at_once);
            if (this.count === this.record.steps.length) {
                this.play();
            }
        }, 40);
    }
    controls() {
        const button = (text, title, action) => make("button", {title, "aria-label": title, onclick: action}, text);
        this.player = button("play", "Play or pause", () => this.play());
        return make("div", {class: "controls"}, this.player,
            button("|◀", "To the release of threads before this step", () => this.go_to_release(-1)), button("◀", "One step back", () => this.go(this.count - 1)),
            button("▶", "One step forward", () => this.go(this.count + 1)), button("▶|", "To the next release of threads", () => this.go_to_release(1)),
            this.slider, this.place);
    }
    warps() {
        const rows = [];
        for (let first = 0; first < this.cells.length; first += 32) {
            rows.push(make("div", {class: "warp"}, make("span", {class: "soft"}, `warp ${first / 32}`), ...this.cells.slice(first, first + 32)));
        }
        return make("div", {class: "warps", role: "img", "aria-label": "The threads of the block, one row for each warp. The sentence above says what happens."}, ...rows);
    }
}

function steps_legend() {
    const list = make("dl");
    for (const [state, [letter, text]] of Object.entries(CELLS)) {
        list.append(make("dt", {}, make("span", {class: `thread ${state}`}, letter)), make("dd", {}, `The thread ${text}.`));
    }
    return make("details", {class: "legend", open: true}, make("summary", {}, "What the letters mean"), list);
}

function show_steps(data) {
    const record = data.steps;
    if (!record) {
        return;
    }
    const steps = new Steps(data);
    section("steps", "One block, step by step",
        make("p", {}, `Block (${record.block}) of kernel `, make("strong", {}, record.kernel), `, which has (${record.block_dim}) threads, in a grid of (${record.grid_dim}) blocks. `,
            make("span", {class: "soft"}, "Here one thread runs after the other, until it must wait. On a GPU the 32 lanes of a warp run together, and the warps of a block side by side. "
                + "Who waits for whom is the same; the order between two barriers is another one.")),
        record.left_out > 0 ? make("p", {class: "note"}, `The record ends early: ${count_text(record.left_out)} more steps are left out.`) : undefined,
        steps.controls(), steps.text, make("div", {class: "scroll"}, steps.warps()), steps_legend());
}
