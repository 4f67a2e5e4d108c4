// Takes no notice of the end of its stdin; with an argument, nor of SIGTERM. It outlives a test run that was killed by two
// minutes at most.
if (process.argv[2] !== undefined) process.on('SIGTERM', () => process.stderr.write('no\n'))
process.stdin.resume()
setTimeout(() => process.exit(9), 120_000)
process.stderr.write(`pid ${process.pid}\n`, () => process.send?.('ready'))
