// What the app is told when it starts. Chromium's own switches, which share the command line, are left to it.

/** The value of `--data-dir DIR` or `--data-dir=DIR`, the last one given. */
export function dataDirOption(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='))
  if (at < 0) return undefined
  return args[at] === '--data-dir' ? args[at + 1] : args[at]?.slice('--data-dir='.length)
}
