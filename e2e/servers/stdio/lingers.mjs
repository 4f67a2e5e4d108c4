// Takes no notice of the end of its stdin; with an argument, nor of SIGTERM.
if (process.argv[2] !== undefined) process.on('SIGTERM', () => process.stderr.write('no\n'))
process.stdin.resume()
setInterval(() => {}, 1000)
process.stderr.write(`pid ${process.pid}\n`, () => process.send?.('ready'))
