"""Run the command line with `python -m thresher`."""

from thresher.cli import main

main()
