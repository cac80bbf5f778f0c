// Elements of the page, and numbers as text.
function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (name.startsWith("on")) {
            element.addEventListener(name.slice(2), value);
        } else if (name.startsWith("--")) {
            element.style.setProperty(name, value);
        } else if (value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(...children.filter(child => child !== undefined && child !== null));
    return element;
}

function three_digits(number) {
    return number >= 100 || Number.isInteger(number) ? Math.round(number).toString() : number.toPrecision(3);
}

// Nanoseconds as "1.23 ms".
function time_text(nanoseconds) {
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
    for (const [size, unit] of units) {
        if (Math.abs(nanoseconds) >= size * 0.9995) {
            return `${three_digits(nanoseconds / size)} ${unit}`;
        }
    }
    return `${Math.round(nanoseconds)} ns`;
}

function bytes_text(bytes) {
    const units = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
    for (const [size, unit] of units) {
        if (bytes >= size) {
            return `${three_digits(bytes / size)} ${unit}`;
        }
    }
    return `${Math.round(bytes)} B`;
}

// 12345678 as "12,345,678".
function count_text(number) {
    return number.toLocaleString("en-US");
}

function several(number, one, many) {
    return `${count_text(number)} ${number === 1 ? one : many}`;
}

// "(1-4,1,1)" of three least and three greatest sizes.
function size_text(low, high) {
    return `(${low.map((size, i) => size === high[i] ? size : `${size}-${high[i]}`).join(",")})`;
}

// Colours on which black text can be read, for light and dark pages.
const COLOURS = ["#7db6e8", "#f2b66d", "#8fd19e", "#e79fb3", "#c3a9ea", "#e5d36f", "#7fd0cb", "#d3b299"];

// The colour of a kernel, by the order of first use.
const colours_in_use = new Map();
function colour_of(kernel) {
    if (!colours_in_use.has(kernel)) {
        colours_in_use.set(kernel, COLOURS[colours_in_use.size % COLOURS.length]);
    }
    return colours_in_use.get(kernel);
}

// The explanation of numbers: pairs of a word and a key of MEANING.
function legend(pairs) {
    const list = make("dl");
    for (const [word, key] of pairs) {
        list.append(make("dt", {}, word), make("dd", {}, MEANING[key]));
    }
    return make("details", {class: "legend"}, make("summary", {}, "What the numbers mean"), list);
}

// A section with its line in the contents.
function section(id, title, ...children) {
    const element = make("section", {id, "aria-labelledby": `${id}-title`}, make("h2", {id: `${id}-title`}, title), ...children);
    document.getElementById("main").append(element);
    document.getElementById("contents").append(make("li", {}, make("a", {href: `#${id}`}, title)));
    return element;
}

// Listens as long as the process is shown that is shown now.
let shown = new AbortController();
function while_shown(target, name, action, options = {}) {
    target.addEventListener(name, action, {...options, signal: shown.signal});
}
