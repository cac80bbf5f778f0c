"""Runs the commands that a document prints, and compares what they print with the document.

    transcript.py DOCUMENT [SECTION]     in the current folder; all sections, or the one with this heading

    <!-- file NAME -->            the next block of code becomes a file of this name
    ```console                    lines "$ COMMAND", and below each what it prints; "(gdb) COMMAND" goes to the
                                  command above it
    ...                           a line of a block that stands for any lines, also none
    <!-- numbers vary -->         before a block: its numbers, units of time and columns may be others

Output goes to a pseudo terminal: so both streams come in the order that a user sees. Addresses may be others.
A command whose block shows no output may print anything. Each must succeed, or the document says
"exit status N" below it.
"""
import difflib
import os
import pty
import re
import subprocess
import sys

LIMIT = 60 * int(os.environ.get("CDP_TEST_PATIENCE", "5"))
ENVIRONMENT = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "DEBUGINFOD_URLS": "", "LC_ALL": "C.UTF-8"}


def parts(document, wanted):
    """(marks, language, lines) of each block of code of the section."""
    marks, block, inside, found = [], None, wanted is None, []
    for line in document.splitlines():
        if block is None and line.startswith("## ") and wanted is not None:
            inside = line[3:] == wanted
        elif mark := re.fullmatch(r"<!-- (.*) -->", line):
            marks.append(mark[1])
        elif line.startswith("```"):
            if block is None:
                language, block = line[3:], []
            else:
                if inside:
                    found.append((marks, language, block))
                marks, block = [], None
        elif block is not None:
            block.append(line)
        elif line:
            marks = []
    return found


def commands(lines):
    """[command, input lines, expected lines]"""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], [], []))
        else:
            assert found, f"a line before the first command: {line}"
            if line.startswith("(gdb) "):
                found[-1][1].append(line[6:])
            found[-1][2].append(line)
    return found


def run(command, typed):
    reader, writer = pty.openpty()
    process = subprocess.Popen(["bash", "-c", command], stdin=subprocess.PIPE, stdout=writer, stderr=writer,
                               env=ENVIRONMENT)
    os.close(writer)
    process.stdin.write("".join(line + "\n" for line in typed).encode())
    process.stdin.close()
    data = b""
    while True:
        try:
            more = os.read(reader, 1 << 16)
        except OSError:  # all have closed the terminal
            break
        if not more:
            break
        data += more
    os.close(reader)
    text = re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", data.decode(errors="replace"))  # colours
    return process.wait(LIMIT), text.replace("\r\n", "\n")


def echoed(text, typed):
    """gdb does not print what comes from a pipe. Here it is put behind its prompts, as a terminal shows it."""
    first, *others = text.split("(gdb) ")
    lines = first.splitlines()
    for command, answer in zip(typed, others):
        lines += [f"(gdb) {command}", *answer.splitlines()]
    return lines


def pattern(line, vary):
    text = re.escape(re.sub(r"0x[0-9a-f]+", "\1", line))
    if vary:
        text = re.sub(r"(\\ )*(\d|\\\.\d)+((\\ )(ns|us|ms|s)\b)?",
                      lambda m: r" *[\d.]+" + (r" (ns|us|ms|s)" if m[3] else ""), text)
        text = re.sub(r"(\\ ){2,}", " +", text)
    return re.compile(text.replace("\1", "0x[0-9a-f]+"))


def differs(expected, actual, vary):
    """Whether the lines differ. Each "..." takes as few lines as possible."""
    patterns = [None if line == "..." else pattern(line, vary) for line in expected]
    places = {0}  # how many lines of the output the patterns so far may have taken
    for regex in patterns:
        if regex is None:
            places = set(range(min(places), len(actual) + 1)) if places else places
        else:
            places = {at + 1 for at in places if at < len(actual) and regex.fullmatch(actual[at].rstrip())}
    return len(actual) not in places


def check(command, typed, expected, vary):
    status, text = run(command, typed)
    actual = echoed(text, typed) if typed else text.splitlines()
    wanted = 0
    if expected and (said := re.fullmatch(r"exit status (\d+)", expected[-1])):
        wanted, expected = int(said[1]), expected[:-1]
    complaint = ""
    if status != wanted:
        complaint = f"exit status {status}, not {wanted}\n"
    if expected and differs(expected, actual, vary):
        complaint += "\n".join(difflib.unified_diff(expected, actual, "document", "now", lineterm="", n=50))
    elif complaint:
        complaint += text
    if complaint:
        print(f"$ {command}\n{complaint}")
    return not complaint


def main(path, section=None):
    with open(path, encoding="utf-8") as file:
        found = parts(file.read(), section)
    count = 0
    for marks, language, block in found:
        name = next((m[5:] for m in marks if m.startswith("file ")), None)
        if name:
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(block) + "\n")
        if language != "console":
            continue
        for command, typed, expected in commands(block):
            count += 1
            if not check(command, typed, expected, "numbers vary" in marks):
                return 1
    print(f"{count} commands")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
