// The version that nvm takes for its default, as `nvm use default` would find it. Pure: the alias files are read by whoever
// asks. nvm has no folder or link for it.

const parts = (version: string): number[] => version.slice(1).split('.').map(Number)

function compare(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  return [0, 1, 2].map((at) => (left[at] ?? 0) - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

/** `installed`: names of folders; `alias`: the text of that alias file. Undefined: none is installed, or the system's own is wanted. */
export function nvmDefault(installed: readonly string[], alias: (name: string) => string | undefined): string | undefined {
  const versions = installed.filter((name) => /^v\d+\.\d+\.\d+$/.test(name)).sort(compare)
  const newest = versions.at(-1)
  let wanted = alias('default')?.trim()
  for (let depth = 0; depth < 6 && wanted !== undefined; depth += 1) {
    if (wanted === 'system') return undefined
    if (wanted === 'node' || wanted === 'stable') return newest
    const number = /^v?(\d+(?:\.\d+){0,2})$/.exec(wanted)?.[1]
    // One that is not installed is of no use; the newest that is may be.
    if (number !== undefined) return versions.findLast((version) => version === `v${number}` || version.startsWith(`v${number}.`)) ?? newest
    const isName = /^[\w*-]+(?:\/[\w*-]+)?$/.test(wanted)
    wanted = isName ? alias(wanted)?.trim() : undefined
  }
  return newest
}
