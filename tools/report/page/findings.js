// The findings of checks, each with its places.
function place_text(place) {
    const parts = [place.kernel ? `in kernel ${place.kernel}` : place.function ? `in ${place.function}` : ""];
    if (place.block) {
        parts.push(`block (${place.block})`);
    }
    if (place.thread) {
        parts.push(`thread (${place.thread})`);
    }
    return parts.filter(part => part !== "").join(", ");
}

function short_name(file) {
    return file.slice(file.lastIndexOf("/") + 1);
}

// A link to the line, where the source is in the page.
function line_link(data, place) {
    if (!place.file) {
        return make("span", {}, "an unknown line (compile with -lineinfo)");
    }
    const text = `${short_name(place.file)}:${place.line}${place.column ? `:${place.column}` : ""}`;
    return data.sources[place.file] === undefined ? make("span", {class: "mono", title: place.file}, text)
        : make("a", {class: "mono", title: place.file, href: `#${line_id(data, place.file, place.line)}`}, text);
}

function launch_item(data, launch) {
    const who = launch.by ? `kernel ${launch.by}${launch.block ? `, block (${launch.block})` : ""}` : "the host";
    return make("li", {}, `${launch.kernel} was launched by ${who} at `, line_link(data, launch));
}

function place_item(data, place) {
    const item = make("li", {}, place.what ? `${place.what}: ` : "", line_link(data, place), ` ${place_text(place)}`);
    if (place.launches?.length > 0) {
        item.append(make("ul", {class: "soft"}, ...place.launches.map(launch => launch_item(data, launch))));
    }
    return item;
}

function finding_card(data, finding, number) {
    const list = make("dl");
    const add = (word, value) => value && list.append(make("dt", {}, word), make("dd", {}, value));
    add("memory", finding.memory);
    add("what to do", finding.help);
    add("in the debugger", finding.gdb && make("code", {}, finding.gdb));
    add("on a GPU", CHECKS[finding.check]);
    return make("article", {class: "finding", id: `finding-${number}`},
        make("h3", {}, make("span", {class: "badge"}, finding.check), finding.title, finding.error ? make("span", {class: "soft"}, ` (${finding.error})`) : null),
        make("ul", {}, ...(finding.places ?? []).map(place => place_item(data, place))), list);
}

function real_findings(data) {
    return (data.findings ?? []).filter(finding => !["summary", "remark", "unfinished"].includes(finding.check));
}

function summary_of(data) {
    return (data.findings ?? []).find(finding => finding.check === "summary");
}

// The checks that the process was built with, with commas. The last element has them: the summary,
// or another one if the process was killed. A program without checks writes a list, too, of what was
// found anyway.
function compiled_checks(data) {
    return (data.findings ?? []).find(finding => finding.compiled !== undefined)?.compiled;
}

function has_checks(data) {
    return real_findings(data).length > 0 || Boolean(compiled_checks(data));
}

function show_findings(data) {
    if (!has_checks(data)) {
        return;
    }
    const summary = summary_of(data);
    const findings = real_findings(data), part = section("findings", "Mistakes that the checks found");
    if (findings.length === 0) {
        const until = summary ? "" : " until the program was ended";
        part.append(make("p", {class: "good"}, `None${until}. Checked: ${compiled_checks(data).replaceAll(",", ", ")}.`));
    }
    part.append(...findings.map((finding, i) => finding_card(data, finding, i)));
    if (summary?.left_out > 0) {
        part.append(make("p", {class: "note"}, `${several(summary.left_out, "more finding is", "more findings are")} left out (CDP_CHECK_LIMIT).`));
    }
    for (const remark of (data.findings ?? []).filter(finding => finding.check === "remark")) {
        part.append(make("p", {class: "note", style: "white-space: pre-line"}, remark.title));
    }
}
