"""Prints an events file of the harness as text: one line per check, per arm and per shape."""
import json
import statistics
import sys


def check_line(event):
    numbers = ""
    if "elements" in event:
        numbers = (f" normwise {event['normwise_error']:.3g} / {event['normwise_bound']:.3g}, "
                   f"max abs {event['max_abs_error']:.3g}, wrong {event['violations']} of {event['elements']}")
    return f"  {event['status']:8} {event['check']:12} {event['variant']:34}{numbers} {event['reason']}"


def median_of(values):
    return statistics.median(values) if values else float("nan")


def main(path):
    shapes, arms = {}, {}
    for line in open(path):
        event = json.loads(line)
        kind = event["event"]
        if kind == "session":
            print(f"  {event['gpu']}")
        elif kind == "shape_begin":
            shapes[event["index"]] = event
            print(f"{event['m']}x{event['n']}x{event['k']}")
        elif kind in ("check", "output_check"):
            print(check_line(event))
        elif kind == "contender":
            arms[event["index"], event["arm"]] = event
            print(f"  arm {event['arm']} {event['role']:18} {event['status']} {event['reason']}{event['detail']} "
                  f"({event['algorithms_measured']} measured)")
        elif kind == "samples":
            shape = shapes[event["index"]]
            time_ns = median_of(event["time_ns"])
            low, high = min(event["time_ns"]), max(event["time_ns"])
            tflops = 2e-3 * shape["m"] * shape["n"] * shape["k"] / time_ns
            print(f"  {arms[event['index'], event['arm']]['role']:18} {event['cache']:4} median {time_ns / 1e3:10.2f} us "
                  f"({low / 1e3:.2f} to {high / 1e3:.2f}) {tflops:7.2f} TFLOP/s, {len(event['time_ns'])} samples, "
                  f"{event['retaken']} retaken, clock {median_of(event['sm_clock_mhz']):.0f} MHz")
        elif kind == "launches":
            print(f"  launches: {event['capture']} {event['kernels']}")
        elif kind == "timer":
            print(f"  timer overhead {event['overhead_ns']:.0f} ns")
        elif kind == "shape_end":
            print(f"  {event['status']} in {event['elapsed_ns'] / 1e9:.2f} s")
        else:
            print(f"  {line.strip()}")


main(sys.argv[1])
