// Never reads its stdin.
setInterval(() => {}, 1000)
