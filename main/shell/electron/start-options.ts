/** Value of the last `--NAME VALUE` or `--NAME=VALUE`. Other arguments are Chromium's switches. */
function lastOption(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  if (at < 0) return undefined
  return args[at] === `--${name}` ? args[at + 1] : args[at]?.slice(name.length + 3)
}

export const dataDirOption = (args: readonly string[]): string | undefined => lastOption(args, 'data-dir')

/** Sandbox of all local servers of this run; undefined: as each entry and approval says. */
export function sandboxOption(args: readonly string[]): 'on' | 'off' | undefined {
  const value = lastOption(args, 'sandbox')
  return value === 'on' || value === 'off' ? value : undefined
}
