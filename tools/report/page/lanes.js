// What the timeline draws: groups of rows, and in each row slices that do not overlap.
const PROCESS_ORDER = name => name === "host" ? 0 : name === "workers" ? 2 : 1;

// Grids and other slices in one numbering: first the grids.
class Slices {
    constructor(trace) {
        this.trace = trace;
        this.grids = trace.grids.count;
        this.count = this.grids + trace.slices.count;
        const both = name => Float64Array.from([...trace.grids[name], ...trace.slices[name]]);
        this.began = both("began");
        this.lasted = both("lasted");
        this.track = both("track");
        this.name = both("name");
    }
    is_grid(i) {
        return i < this.grids;
    }
    ended(i) {
        return this.began[i] + this.lasted[i];
    }
    label(i) {
        return this.trace.names[this.name[i]];
    }
    // The grid that launched it; -1: the host, another slice, or unknown.
    parent(i) {
        return this.is_grid(i) ? this.trace.grids.parent[i] : -1;
    }
}

// Slices of a track may contain each other, as calls within ranges, and ranges may overlap: each
// takes the first row that is free.
function rows_of_track(slices, members) {
    members.sort((a, b) => slices.began[a] - slices.began[b] || slices.lasted[b] - slices.lasted[a]);
    const rows = [], ends = [];
    for (const i of members) {
        const free = ends.findIndex(end => end <= slices.began[i]), row = free < 0 ? rows.length : free;
        rows[row] ??= [];
        rows[row].push(i);
        ends[row] = slices.ended(i);
    }
    return rows;
}

// Tracks of one name, as those for grids of one depth, are one group.
function groups_of(slices) {
    const members = slices.trace.tracks.map(() => []);
    for (let i = 0; i < slices.count; i++) {
        members[slices.track[i]].push(i);
    }
    const groups = new Map();
    const numbers = slices.trace.tracks.map((_, i) => i).filter(i => members[i].length > 0);
    numbers.sort((a, b) => compare_tracks(slices.trace.tracks[a], slices.trace.tracks[b]));
    for (const number of numbers) {
        const track = slices.trace.tracks[number];
        const key = `${track.process}: ${track.name}`;
        if (!groups.has(key)) {
            groups.set(key, {process: track.process, name: track.name, rows: []});
        }
        groups.get(key).rows.push(...rows_of_track(slices, members[number]));
    }
    return [...groups.values()];
}

function compare_tracks(a, b) {
    return PROCESS_ORDER(a.process) - PROCESS_ORDER(b.process) || a.order[0] - b.order[0] || a.order[1] - b.order[1];
}

const HEAD_HEIGHT = 20;
// Gives each row its place: the more rows a group has, the flatter they are. row_of has the row of
// each slice.
function place_rows(groups, count) {
    const rows = [], row_of = new Uint32Array(count);
    let top = HEAD_HEIGHT, process = "";
    for (const group of groups) {
        if (group.process !== process) {
            process = group.process;
            group.heading = top;
            top += 20;
        }
        const height = Math.max(2, Math.min(18, Math.floor(190 / group.rows.length)));
        group.top = top;
        for (const members of group.rows) {
            members.forEach(i => row_of[i] = rows.length);
            rows.push({group, members, top, height, number: rows.length});
            top += height;
        }
        group.height = Math.max(16, top - group.top);
        top = group.top + group.height + 4;
    }
    return {rows, row_of, height: top + 4};
}

// The first member of a row that ends after the time.
function first_after(slices, row, time) {
    let low = 0, high = row.members.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (slices.ended(row.members[middle]) > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
