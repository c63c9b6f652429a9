"""An agent loop with Nudge as its memory. The "model" is a script, so it runs anywhere.

The agent works in a small checkout. Before a task it asks Nudge how, runs what it was told after
it has checked it, and says how it went. Where the user has said how, what it learns is proposed to
the user. Once accepted it is there for the next task on that branch, with its reason, and is not
offered on another.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import nudge

BUILD = """
import sys
on_payments = "payments" in open(".git/HEAD").read()
if on_payments and "--schema=2" not in sys.argv:
    sys.exit("error: table `refunds` is not in this schema")
print("built")
"""


def main() -> None:
    """Set the stage: a store, a temporary checkout, and the process in it."""
    with nudge.Nudge() as store, tempfile.TemporaryDirectory() as folder:
        home = Path.cwd()
        os.chdir(folder)
        try:
            make_checkout()
            work(store)
        finally:
            os.chdir(home)


def work(store: nudge.Nudge) -> None:
    """Let the agent do four tasks, two of them on a branch."""
    # A real agent leaves the clock alone; here every run must print the same.
    store.pin_clock("2025-11-04T09:00:00Z")
    # What the user told Nudge before the agent came.
    store.set_hint(
        "shop",
        "build",
        {"type": "command", "cmd": "python build.py"},
        reason="the Makefile is out of date",
        tags="build",
    )
    store.set_hint(
        "shop",
        "schemas",
        "build.py takes --schema=1 or --schema=2; 2 has the table refunds",
        tags=["build", "database"],
    )

    agent = Agent(store)
    for hour, branch in enumerate(("main", "feature/payments", "feature/payments", "main"), 10):
        store.pin_clock(f"2025-11-04T{hour}:00:00Z")
        check_out(branch)
        agent.build(branch)
        # What the user does: `nudge accept ID` at a terminal.
        for proposal in store.list_proposals().proposals:
            store.accept(proposal.id)
            print(f"The user accepts what {proposal.client} proposes.\n")

    check_out("feature/payments")
    print("What goes into a prompt on feature/payments:\n")
    print(nudge.prompt_block(store, store.here(), budget=200), end="")


class Agent:
    """Does what a model would do with the tools, one step after another."""

    def __init__(self, store: nudge.Nudge) -> None:
        # The functions that a framework would be given. They look up where this process is at
        # each call, so a change of branch needs no word from the agent.
        self.tools = {tool.__name__: tool for tool in nudge.tools(store, client="my-agent")}
        self.here = store.here

    def build(self, branch: str) -> None:
        """Ask how, do it, and say how it went."""
        print(f"Task: build shop on {branch}")
        answer = self.tools["nudge_get_hint"]("shop", "build")
        hint = answer["hint"]
        command = hint["value"]["cmd"]
        print(f"  nudge says:  {command}")
        print(f"  its reason:  {hint['meta']['reason']}")
        print(f"  it fits as:  {'; '.join(answer['match_explain']['reasons'])}")
        others = self.tools["nudge_query"](component="shop", keys=["build"])["scoped_out"]
        if others:
            print(f"  not offered: {others}, which is for another place")
        done, output = self.run(command)
        if done:
            used = self.tools["nudge_bump"]("shop", "build")["hint"]["use_count"]
            print(f"  bumped:      it has now worked {used} time(s)")
        else:
            self.find_another_way(command, output)
        print()

    def find_another_way(self, failed: str, error: str) -> None:
        """Look at what else is known, try it, and keep what worked."""
        _, word, _ = error.split("`")
        known = self.tools["nudge_query"](component="shop", regex=word)
        for found in known["hints"]:
            print(f"  also known:  {found['key']}: {found['hint']['value']}")
        command = f"{failed} --schema=2"
        print(f"  tries:       {command}")
        if self.run(command)[0]:
            here = self.here().to_dict()
            learnt = self.tools["nudge_set_hint"](
                "shop",
                "build",
                command,
                value_type="command",
                reason="payments needs the table refunds, which only schema 2 has",
                confidence=0.9,
                repo=here["repo"],
                branch=[here["branch"]],
            )
            # The user's word stands until the user changes it.
            waits = learnt["proposal"]["hint"]["meta"]["scope"]
            print(f"  proposed:    for {', '.join(waits['branch'])}")

    def run(self, command: str) -> tuple[bool, str]:
        """Run a command that was checked. Nudge keeps commands as data and runs none of them."""
        program, *arguments = shlex.split(command)
        if program != "python" or arguments[:1] != ["build.py"]:
            return False, f"`{program}` may not be run by this agent"
        ran = subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=False
        )
        output = (ran.stdout or ran.stderr).strip()
        print(f"  ran it:      {output}")
        return ran.returncode == 0, output


def make_checkout() -> None:
    """Write the few files by which a folder is a checkout; no git is needed."""
    Path(".git").mkdir()
    Path(".git/config").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    Path("build.py").write_text(BUILD)


def check_out(branch: str) -> None:
    """Change the branch, as far as anybody who reads the files can tell."""
    Path(".git/HEAD").write_text(f"ref: refs/heads/{branch}\n")


if __name__ == "__main__":
    main()
