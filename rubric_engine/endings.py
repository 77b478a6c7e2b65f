"""How a run of `reproduce.sh` ended, in words."""

from __future__ import annotations

from rubric_engine.isolation import SCRIPT, Execution


def ending(execution: Execution, name: str = SCRIPT) -> str:
    """How a script ended that did not end well, such as `setup.sh failed with exit code 4`.

    Args:
        execution: One that ended as the submission's own doing.
        name: What ran.
    """
    match execution.status:
        case "timeout":
            seconds = f"{execution.duration_s or 0:.1f} s"
            return f"{name} was stopped at its time limit, after {seconds}"
        case "oom":
            limits = execution.limits
            most = f" (limit {limits.memory:,} bytes)" if limits else ""
            return f"{name} ended for want of memory{most}"
        case "killed":
            return f"{name} was killed by signal {execution.signal}"
        case "disk_full":
            return f"{name} wrote more than its limit of disk space"
        case _:
            return f"{name} failed with exit code {execution.exit_code}"


def no_outcome(execution: Execution) -> str:
    """Why a run has no outcome that is the submission's own."""
    if execution.status == "cancelled":
        return "the run of reproduce.sh was cancelled"
    if execution.status == "infra.install":
        return execution.fault
    why = f": {execution.fault}" if execution.fault else ""
    return f"the sandbox failed: {execution.status}{why}"
