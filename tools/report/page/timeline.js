// The timeline: zoom, moving and choosing, by mouse and by keys.
const MOST_PRINTED = 900; // pixels of height, less than a sheet of paper
class Timeline {
    constructor(data) {
        const {trace} = data;
        this.data = data;
        this.slices = new Slices(trace);
        this.groups = groups_of(this.slices);
        this.layout = place_rows(this.groups, this.slices.count);
        this.end = this.last_end(this.slices.count);
        this.view = {from: 0, to: this.end};
        this.marks = {chosen: -1, children: []};
        this.is_printed = false;
        this.range = make("output", {id: "range", class: "soft", title: "The part of the run that is visible"});
        this.selected = make("div", {id: "selected", "aria-live": "polite"});
        this.canvas = make("canvas", {tabindex: 0, role: "img", "aria-describedby": "timeline-keys",
            "aria-label": `Timeline of ${count_text(this.slices.count)} slices in ${count_text(this.layout.rows.length)} rows. The tables below and the launch tree have the same numbers.`});
        // As high as all rows: the frame scrolls over it. The canvas has the height of the frame.
        this.all = make("div", {class: "all"}, this.canvas);
        this.all.style.height = `${this.layout.height}px`;
        this.frame = make("div", {id: "lanes"}, this.all);
        this.cut = make("p", {class: "soft printed"}, "Only a part of the rows is printed: those from where the picture is scrolled to.");
        this.listen();
        this.choose(-1);
        this.show_grids();
    }
    // Of the first slices. Grids are the first ones.
    last_end(count) {
        let end = 1;
        for (let i = 0; i < count; i++) {
            end = Math.max(end, this.slices.ended(i));
        }
        return end;
    }
    draw() {
        const height = Math.min(this.layout.height, this.is_printed ? MOST_PRINTED : this.frame.clientHeight);
        this.canvas.style.height = `${height}px`;
        this.cut.hidden = this.layout.height <= MOST_PRINTED;
        if (this.canvas.clientWidth > GUTTER) {
            this.pen = draw_timeline(this.canvas, {...this.view, top: this.frame.scrollTop, height}, this.slices, this.layout, this.groups, this.marks);
        }
        this.tell_range();
    }
    // Many events need one drawing.
    draw_soon() {
        this.drawing ??= requestAnimationFrame(() => {
            this.drawing = undefined;
            this.draw();
        });
        this.tell_range();
    }
    tell_range() {
        this.range.textContent = `${time_text(this.view.from)} to ${time_text(this.view.to)} of ${time_text(this.end)}`;
    }
    show(from, to) {
        const length = Math.max(20, Math.min(this.end, to - from));
        const start = Math.max(0, Math.min(this.end - length, from));
        this.view.from = start;
        this.view.to = start + length;
        this.draw_soon();
    }
    // Around a time, which keeps its place.
    zoom(factor, time = (this.view.from + this.view.to) / 2) {
        const {from, to} = this.view;
        this.show(time - (time - from) / factor, time - (time - from) / factor + (to - from) / factor);
    }
    move(part) {
        const by = (this.view.to - this.view.from) * part;
        this.show(this.view.from + by, this.view.to + by);
    }
    show_all() {
        this.show(0, this.end);
    }
    // From the first grid to the last one, with some space around. The calls before them can be long.
    show_grids() {
        const {slices} = this;
        const first = slices.began.subarray(0, slices.grids).reduce((least, time) => Math.min(least, time), this.end);
        const last = this.last_end(slices.grids), around = (last - first) / 20;
        if (slices.grids > 0) {
            this.show(first - around, last + around);
        }
    }
    show_slice(i) {
        const around = Math.max(200, this.slices.lasted[i]) * 0.6;
        this.choose(i);
        this.show(this.slices.began[i] - around, this.slices.ended(i) + around);
        this.frame.scrollIntoView({block: "nearest"});
        this.scroll_to(i);
    }
    row_of(i) {
        return this.layout.rows[this.layout.row_of[i]];
    }
    scroll_to(i) {
        const row = this.row_of(i), {frame} = this;
        if (row && (row.top < frame.scrollTop + HEAD_HEIGHT || row.top + row.height > frame.scrollTop + frame.clientHeight)) {
            frame.scrollTop = row.top - frame.clientHeight / 2;
        }
    }
    choose(i) {
        const {slices} = this;
        this.marks.chosen = i;
        this.marks.children = [];
        for (let child = 0; i >= 0 && slices.is_grid(i) && child < slices.grids; child++) {
            if (slices.parent(child) === i) {
                this.marks.children.push(child);
            }
        }
        this.selected.replaceChildren(...this.description(i));
        this.draw_soon();
    }
    description(i) {
        const {slices} = this;
        if (i < 0) {
            return [make("p", {class: "soft"}, "Click a slice to see its numbers and its launches.")];
        }
        const list = make("dl"), track = slices.trace.tracks[slices.track[i]];
        const add = (word, key, value) => list.append(make("div", {title: MEANING[key]}, make("dt", {}, word), make("dd", {}, value)));
        add("began", "began", time_text(slices.began[i]));
        add("lasted", slices.is_grid(i) ? "lasted" : "api_time", time_text(slices.lasted[i]));
        if (slices.is_grid(i)) {
            this.describe_grid(i, add);
        } else if (slices.trace.slices.bytes[i - slices.grids] > 0) {
            add("bytes", "bytes", bytes_text(slices.trace.slices.bytes[i - slices.grids]));
        }
        return [make("strong", {}, slices.label(i)), make("span", {class: "soft"}, ` in ${track.process}, ${track.name}`), list];
    }
    describe_grid(i, add) {
        const {grids} = this.slices.trace, size = grids.size[i], parent = grids.parent[i];
        add("waited", "waited", time_text(grids.waited[i]));
        add("grid", "grid", `(${size.slice(0, 3)})`);
        add("block", "block", `(${size.slice(3)})`);
        add("depth", "depth", String(grids.depth[i]));
        add("launched by", "pair", parent < 0 ? (grids.depth[i] === 0 ? "the host" : "a grid that is not listed")
            : make("button", {onclick: () => this.show_slice(parent)}, `${this.slices.label(parent)} (key c)`));
        if (grids.site[i] >= 0) {
            add("at", "tree_site", line_link(this.data, this.slices.trace.sites[grids.site[i]]));
        }
        const of_listed = grids.left_out > 0 ? " of those that are listed" : "";
        add("launched", "device_launches", several(this.marks.children.length, "grid", "grids") + of_listed);
    }

    // ---- Choosing by keys ----

    // The next slice of the same row, or the one before it.
    choose_beside(step) {
        const row = this.row_of(this.marks.chosen) ?? this.layout.rows[0];
        const at = row.members.indexOf(this.marks.chosen);
        const next = row.members[at < 0 ? first_after(this.slices, row, this.view.from) : at + step];
        this.choose_visible(next);
    }
    // In the next row that has something here.
    choose_row(step) {
        const row = this.row_of(this.marks.chosen);
        const time = row ? this.slices.began[this.marks.chosen] : this.view.from;
        for (let at = (row?.number ?? (step > 0 ? -1 : this.layout.rows.length)) + step; this.layout.rows[at]; at += step) {
            const other = this.layout.rows[at];
            const i = other.members[Math.min(first_after(this.slices, other, time), other.members.length - 1)];
            if (this.slices.ended(i) >= this.view.from && this.slices.began[i] <= this.view.to) {
                this.choose_visible(i);
                return;
            }
        }
    }
    choose_visible(i) {
        if (i === undefined) {
            return;
        }
        this.choose(i);
        if (this.slices.ended(i) < this.view.from || this.slices.began[i] > this.view.to) {
            const half = (this.view.to - this.view.from) / 2;
            this.show(this.slices.began[i] - half, this.slices.began[i] + half);
        }
        this.scroll_to(i);
    }

    // ---- Events ----

    key(event) {
        const actions = {
            "+": () => this.zoom(2), "=": () => this.zoom(2), "-": () => this.zoom(0.5), w: () => this.zoom(2), s: () => this.zoom(0.5),
            ArrowLeft: () => this.move(-0.2), ArrowRight: () => this.move(0.2), a: () => this.move(-0.2), d: () => this.move(0.2),
            ArrowDown: () => this.choose_row(1), ArrowUp: () => this.choose_row(-1),
            n: () => this.choose_beside(1), p: () => this.choose_beside(-1), 0: () => this.show_all(), Home: () => this.show_all(),
            g: () => this.show_grids(),
            f: () => this.marks.chosen >= 0 && this.show_slice(this.marks.chosen),
            c: () => this.slices.parent(this.marks.chosen) >= 0 && this.show_slice(this.slices.parent(this.marks.chosen)),
            Escape: () => this.choose(-1),
        };
        if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            actions[event.key]();
        }
    }
    // The slice at a point of the canvas, or -1.
    at(x, y) {
        const down = y + this.frame.scrollTop;
        const row = y < HEAD_HEIGHT ? undefined : this.layout.rows.find(other => down >= other.top && down < other.top + other.height);
        const near = 2 * (this.view.to - this.view.from) / Math.max(1, this.canvas.clientWidth - GUTTER);
        const time = this.pen.time(x);
        const i = row?.members[first_after(this.slices, row, time - near)];
        return x >= GUTTER && i !== undefined && this.slices.began[i] <= time + near ? i : -1;
    }
    drag(event) {
        const start = {x: event.offsetX, y: event.offsetY, ...this.view}, {canvas} = this;
        let has_moved = false;
        const move = other => {
            has_moved ||= Math.abs(other.offsetX - start.x) > 3;
            const by = (start.x - other.offsetX) / (canvas.clientWidth - GUTTER) * (start.to - start.from);
            if (has_moved) {
                canvas.classList.add("dragged");
                this.show(start.from + by, start.to + by);
            }
        };
        const end = () => {
            canvas.removeEventListener("pointermove", move);
            canvas.removeEventListener("pointerup", end);
            canvas.removeEventListener("pointercancel", end);
            canvas.classList.remove("dragged");
            if (!has_moved) {
                this.choose(this.at(start.x, start.y));
            }
        };
        canvas.setPointerCapture(event.pointerId);
        canvas.addEventListener("pointermove", move);
        canvas.addEventListener("pointerup", end);
        canvas.addEventListener("pointercancel", end);
    }
    listen() {
        const {canvas} = this;
        canvas.addEventListener("keydown", event => this.key(event));
        canvas.addEventListener("pointerdown", event => event.button === 0 && this.drag(event));
        canvas.addEventListener("dblclick", event => this.zoom(2, this.pen.time(event.offsetX)));
        canvas.addEventListener("wheel", event => {
            if (event.ctrlKey || event.shiftKey) {
                event.preventDefault();
                this.zoom(event.deltaY < 0 ? 1.3 : 1 / 1.3, this.pen.time(Math.max(GUTTER, event.offsetX)));
            }
        }, {passive: false});
        this.frame.addEventListener("scroll", () => this.draw_soon());
        new ResizeObserver(() => this.draw_soon()).observe(this.frame);
        while_shown(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.draw_soon());
        for (const name of ["beforeprint", "afterprint"]) {
            while_shown(window, name, () => {
                this.is_printed = name === "beforeprint";
                this.draw();
            });
        }
    }
}

function timeline_controls(timeline) {
    const button = (text, title, action) => make("button", {title, "aria-label": title, onclick: action}, text);
    return make("div", {class: "controls"},
        button("+", "Zoom in", () => timeline.zoom(2)), button("−", "Zoom out", () => timeline.zoom(0.5)),
        button("←", "Earlier", () => timeline.move(-0.3)), button("→", "Later", () => timeline.move(0.3)),
        button("grids", "Show the time in which grids ran", () => timeline.show_grids()),
        button("all", "Show the whole run", () => timeline.show_all()), timeline.range);
}

function timeline_keys() {
    const keys = [["+ −", "zoom"], ["← →", "move in time"], ["↑ ↓", "choose a slice in another row"], ["n p", "choose the next or previous one"],
        ["f", "zoom to it"], ["c", "go to the grid that launched it"], ["g", "show the grids"], ["0", "show all"]];
    return make("p", {id: "timeline-keys", class: "soft screen"}, "Drag to move, Ctrl and wheel to zoom. Keys, when the picture has the focus: ",
        ...keys.flatMap(([key, what], i) => [make("kbd", {}, key), ` ${what}${i + 1 < keys.length ? ", " : "."}`]));
}

// What the reader should know of events that are missing from the timeline.
function left_out_note(trace) {
    const {grids, slices} = trace, left_out = grids.left_out + slices.left_out;
    return left_out === 0 ? undefined : make("p", {class: "note"},
        `The timeline has the longest ${count_text(grids.count)} grids and the longest ${count_text(slices.count)} other slices. ${several(left_out, "shorter one is", "shorter ones are")} left out (cdp-report --slices).`);
}

// Returns what shows a grid.
function show_timeline(data) {
    if (!data.trace || data.trace.grids.count + data.trace.slices.count === 0) {
        return undefined;
    }
    const timeline = new Timeline(data);
    section("timeline", "When everything ran",
        make("p", {class: "soft"}, "Host: calls of the API by each thread. Device: a row for each stream, then the grids that kernels launched, by depth. Workers: the kernels whose blocks each of them runs; a worker takes the place of a multiprocessor (SM). One colour is one kernel; grey is the host."),
        trace_note(data.trace), left_out_note(data.trace), timeline_controls(timeline), timeline.frame, timeline.cut, timeline.selected, timeline_keys(),
        legend([["began", "began"], ["lasted", "lasted"], ["waited", "waited"], ["grid", "grid"], ["block", "block"], ["depth", "depth"], ["workers", "workers"]]));
    return timeline;
}
