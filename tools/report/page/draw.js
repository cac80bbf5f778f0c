// Draws the timeline on a canvas, which shows a part of all rows. view = {from, to} in nanoseconds,
// top, the pixels of rows that are above the canvas, and height, those that it shows. marks.chosen
// is the slice that is chosen, or -1.
const GUTTER = 190;

function theme() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(`--${name}`).trim();
    return {page: colour("page"), text: colour("text"), soft: colour("soft"), line: colour("line"), raised: colour("raised"), focus: colour("focus")};
}

function slice_colour(slices, i) {
    if (slices.is_grid(i) || slices.trace.tracks[slices.track[i]].process === "workers") {
        return colour_of(slices.label(i));
    }
    return slices.trace.slices.bytes[i - slices.grids] > 0 ? "#d9cf9c" : "#bcc4cd";
}

// A pen knows the canvas and where a time lies on it.
class Pen {
    constructor(canvas, view) {
        this.context = canvas.getContext("2d");
        this.width = canvas.clientWidth;
        this.height = view.height;
        this.view = view;
        this.theme = theme();
        const scale = window.devicePixelRatio || 1;
        canvas.width = Math.round(this.width * scale);
        canvas.height = Math.round(this.height * scale);
        this.context.setTransform(scale, 0, 0, scale, 0, 0);
        this.context.font = "12px system-ui, sans-serif";
        this.context.textBaseline = "middle";
    }
    x(time) {
        return GUTTER + (time - this.view.from) / (this.view.to - this.view.from) * (this.width - GUTTER);
    }
    time(x) {
        return this.view.from + (x - GUTTER) / (this.width - GUTTER) * (this.view.to - this.view.from);
    }
    // Whether something at this height of the rows is on the canvas.
    shows(top, height) {
        return top + height > this.view.top && top < this.view.top + this.height;
    }
    // What follows is drawn at the places of rows; or at those of the canvas.
    scroll(is_scrolled) {
        const scale = window.devicePixelRatio || 1;
        this.context.setTransform(scale, 0, 0, scale, 0, is_scrolled ? -scale * this.view.top : 0);
    }
    box(x, y, width, height, colour) {
        this.context.fillStyle = colour;
        this.context.fillRect(x, y, width, height);
    }
    text(text, x, y, width, colour) {
        this.context.fillStyle = colour;
        let shown = text;
        if (this.context.measureText(text).width > width) {
            const fits = Math.floor(text.length * width / this.context.measureText(text).width) - 1;
            shown = fits > 0 ? `${text.slice(0, fits)}…` : "";
        }
        this.context.fillText(shown, x, y);
    }
}

// 1, 2 or 5 times a power of ten, so that at most so many steps are visible.
function nice_step(range, most) {
    const rough = range / most, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find(factor => factor * power >= rough);
}

function draw_axis(pen, draw) {
    const {from, to} = pen.view, step = Math.max(1, nice_step(to - from, (pen.width - GUTTER) / 90));
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
        draw(Math.round(pen.x(time)) + 0.5, axis_text(time, step));
    }
}

// The times, above all rows wherever they are scrolled to.
function draw_head(pen) {
    pen.box(0, 0, pen.width, HEAD_HEIGHT - 1, pen.theme.page);
    draw_axis(pen, (x, text) => {
        pen.box(x, 0, 1, HEAD_HEIGHT - 1, pen.theme.line);
        pen.text(text, x + 4, 10, 100, pen.theme.soft);
    });
    pen.box(0, 0, GUTTER - 1, HEAD_HEIGHT - 1, pen.theme.page);
}

// With as many digits as neighbouring steps need to differ.
function axis_text(time, step) {
    const [size, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]].find(([size]) => time >= size) ?? [1, "ns"];
    const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(size / step) - 1e-9)));
    return `${(time / size).toFixed(digits)} ${unit}`;
}

// Slices narrower than a pixel share one, so a row costs at most as many boxes as it has pixels.
function draw_row(pen, slices, row) {
    const {members, top, height} = row, gap = height > 4 ? 1 : 0;
    let at = first_after(slices, row, pen.view.from);
    while (at < members.length && slices.began[members[at]] < pen.view.to) {
        const i = members[at];
        const left = Math.max(GUTTER, pen.x(slices.began[i])), right = Math.min(pen.width, pen.x(slices.ended(i)));
        const width = Math.max(1, right - left - (right - left > 3 ? 0.5 : 0));
        pen.box(left, top, width, height - gap, slice_colour(slices, i));
        if (width > 28 && height >= 12) {
            pen.text(slices.label(i), left + 3, top + (height - gap) / 2 + 0.5, width - 6, "#000");
        }
        at = width > 1 ? at + 1 : Math.max(at + 1, first_after(slices, row, pen.time(left + 1)));
    }
}

function draw_names(pen, groups) {
    pen.box(0, pen.view.top, GUTTER - 1, pen.height, pen.theme.page);
    for (const group of groups.filter(group => pen.shows(group.heading ?? group.top, group.top + group.height - (group.heading ?? group.top)))) {
        if (group.heading !== undefined) {
            pen.box(0, group.heading, pen.width, 1, pen.theme.soft);
            pen.context.font = "bold 12px system-ui, sans-serif";
            pen.text(group.process, 8, group.heading + 11, GUTTER - 16, pen.theme.text);
            pen.context.font = "12px system-ui, sans-serif";
        }
        pen.text(group.name.replace("launched by device code, ", "by kernels, "), 16, group.top + 8, GUTTER - 24, pen.theme.soft);
    }
}

// Where a slice is, as far as its time is visible. Its row may be above or below the canvas.
function box_of(pen, slices, layout, i) {
    if (slices.ended(i) < pen.view.from || slices.began[i] > pen.view.to) {
        return undefined;
    }
    const {top, height} = layout.rows[layout.row_of[i]], left = Math.max(GUTTER, pen.x(slices.began[i]));
    return {left, right: Math.max(left + 1, Math.min(pen.width, pen.x(slices.ended(i)))), top, height};
}

// From the launching grid, when it launches, to the beginning of the grid.
function draw_arrow(pen, slices, layout, from, to) {
    const a = box_of(pen, slices, layout, from), b = box_of(pen, slices, layout, to), began = slices.began[to];
    if (!a || !b || began < pen.view.from) {
        return;
    }
    const launched = Math.max(GUTTER, pen.x(began - slices.trace.grids.waited[to])), x = pen.x(began), y = b.top + b.height / 2, {context} = pen;
    context.strokeStyle = context.fillStyle = pen.theme.text;
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(launched, a.top + a.height);
    context.bezierCurveTo(launched - 8, a.top + a.height + 6, x - 14, y, x - 3, y);
    context.stroke();
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 5, y - 3);
    context.lineTo(x - 5, y + 3);
    context.fill();
}

function draw_chosen(pen, slices, layout, marks) {
    const box = marks.chosen >= 0 ? box_of(pen, slices, layout, marks.chosen) : undefined, {context} = pen;
    if (!box) {
        return;
    }
    context.strokeStyle = pen.theme.text;
    context.lineWidth = 2;
    context.strokeRect(box.left - 1, box.top - 1, box.right - box.left + 2, box.height + 1);
    if (slices.parent(marks.chosen) >= 0) {
        draw_arrow(pen, slices, layout, slices.parent(marks.chosen), marks.chosen);
    }
    for (const child of marks.children.slice(0, 200)) {
        draw_arrow(pen, slices, layout, marks.chosen, child);
    }
}

function draw_timeline(canvas, view, slices, layout, groups, marks) {
    const pen = new Pen(canvas, view);
    pen.box(0, 0, pen.width, pen.height, pen.theme.page);
    draw_axis(pen, x => pen.box(x, 0, 1, pen.height, pen.theme.line));
    pen.scroll(true);
    for (const row of layout.rows.filter(row => pen.shows(row.top, row.height))) {
        draw_row(pen, slices, row);
    }
    draw_names(pen, groups);
    draw_chosen(pen, slices, layout, marks);
    pen.scroll(false);
    draw_head(pen);
    return pen;
}
