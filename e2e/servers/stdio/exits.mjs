// Says why on stderr and ends at once, with the exit code of its first argument.
process.stderr.write('Error: no such database\n    at start\n')
process.exitCode = Number(process.argv[2])
