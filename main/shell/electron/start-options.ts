/** Value of the last `--data-dir DIR` or `--data-dir=DIR`. Other arguments are Chromium's switches. */
export function dataDirOption(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='))
  if (at < 0) return undefined
  return args[at] === '--data-dir' ? args[at + 1] : args[at]?.slice('--data-dir='.length)
}
