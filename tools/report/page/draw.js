// Draws the timeline on a canvas. view = {from, to} in nanoseconds; marks.chosen is the slice that
// is chosen, or -1.
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
        this.height = canvas.clientHeight;
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

function draw_axis(pen) {
    const {from, to} = pen.view, step = Math.max(1, nice_step(to - from, (pen.width - GUTTER) / 90));
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
        const x = Math.round(pen.x(time)) + 0.5;
        pen.box(x, 0, 1, pen.height, pen.theme.line);
        pen.text(axis_text(time, step), x + 4, 10, 100, pen.theme.soft);
    }
}

// With as many digits as neighbouring steps need to differ.
function axis_text(time, step) {
    const [size, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]].find(([size]) => time >= size) ?? [1, "ns"];
    const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(size / step) - 1e-9)));
    return `${(time / size).toFixed(digits)} ${unit}`;
}

// Slices narrower than a pixel share one, so a row costs at most as many boxes as it has pixels.
function draw_row(pen, slices, row, marks) {
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
        marks.boxes.set(i, {left, right: left + width, top, height});
        at = width > 1 ? at + 1 : Math.max(at + 1, first_after(slices, row, pen.time(left + 1)));
    }
}

function draw_names(pen, groups) {
    pen.box(0, 0, GUTTER - 1, pen.height, pen.theme.page);
    for (const group of groups) {
        if (group.heading !== undefined) {
            pen.box(0, group.heading, pen.width, 1, pen.theme.soft);
            pen.context.font = "bold 12px system-ui, sans-serif";
            pen.text(group.process, 8, group.heading + 11, GUTTER - 16, pen.theme.text);
            pen.context.font = "12px system-ui, sans-serif";
        }
        pen.text(group.name.replace("launched by device code, ", "by kernels, "), 16, group.top + 8, GUTTER - 24, pen.theme.soft);
    }
}

// From the launching grid, when it launches, to the beginning of the grid.
function draw_arrow(pen, slices, from, to, marks) {
    const a = marks.boxes.get(from), b = marks.boxes.get(to), began = slices.began[to];
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

function draw_chosen(pen, slices, marks) {
    const box = marks.boxes.get(marks.chosen), {context} = pen;
    if (!box) {
        return;
    }
    context.strokeStyle = pen.theme.text;
    context.lineWidth = 2;
    context.strokeRect(box.left - 1, box.top - 1, box.right - box.left + 2, box.height + 1);
    if (slices.parent(marks.chosen) >= 0) {
        draw_arrow(pen, slices, slices.parent(marks.chosen), marks.chosen, marks);
    }
    for (const child of marks.children.slice(0, 200)) {
        draw_arrow(pen, slices, marks.chosen, child, marks);
    }
}

function draw_timeline(canvas, view, slices, layout, groups, marks) {
    const pen = new Pen(canvas, view);
    marks.boxes = new Map();
    pen.box(0, 0, pen.width, pen.height, pen.theme.page);
    draw_axis(pen);
    for (const row of layout.rows) {
        draw_row(pen, slices, row, marks);
    }
    draw_names(pen, groups);
    draw_chosen(pen, slices, marks);
    return pen;
}
