-- As many threads append as there are cores.
RESET threads;
