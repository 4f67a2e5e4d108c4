// Comparison of versions and ranges in the forms of semver and of Python (PEP 440): `>=1.0.0`, `^1.2`, `~1.2`, `1.x`, `>=3.8,<4.0`,
// `>=16 || ^14.2`. A text that is no range is reported as such, never guessed.

type Numbers = readonly [number, number, number]

interface Version {
  readonly numbers: Numbers
  readonly early: string
}

const pattern =
  /^[v=\s]*(\d{1,9})(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?(?:\.\d+)*(?:[-]?((?:[a-z][0-9a-z]*|\d+)(?:[.-][0-9a-z]+)*))?(?:\+.*)?$/i

function parseVersion(text: string): Version | undefined {
  const found = pattern.exec(text.trim())
  if (!found) return undefined
  const [, major = '0', minor = '0', patch = '0', early = ''] = found
  return { numbers: [Number(major), Number(minor) || 0, Number(patch) || 0], early }
}

function compareNumbers(a: Numbers, b: Numbers): number {
  for (const index of [0, 1, 2] as const) if (a[index] !== b[index]) return a[index] < b[index] ? -1 : 1
  return 0
}

/** Returns a number below 0 when `a` is older; undefined when one of them is no version. */
export function compareVersions(a: string, b: string): number | undefined {
  const [first, second] = [parseVersion(a), parseVersion(b)]
  if (!first || !second) return undefined
  const byNumbers = compareNumbers(first.numbers, second.numbers)
  if (byNumbers !== 0 || first.early === second.early) return byNumbers
  if (first.early === '' || second.early === '') return first.early === '' ? 1 : -1
  return first.early.localeCompare(second.early, 'en', { numeric: true })
}

/** Tells whether the version is in the range; undefined when one of them cannot be read. */
export function satisfies(version: string, range: string): boolean | undefined {
  const found = parseVersion(version)
  if (!found || range.length > 200) return undefined
  const alternatives = range.split('||').map((one) => satisfiesAll(found.numbers, one))
  return alternatives.includes(undefined) ? undefined : alternatives.includes(true)
}

function satisfiesAll(version: Numbers, range: string): boolean | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(range)
  const whole = hyphen ? `>=${hyphen[1]} <=${hyphen[2]}` : range
  const parts = whole
    .replace(/(>=|<=|==|~=|!=|[<>=^~])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
  const results = parts.map((part) => satisfiesOne(version, part))
  return results.includes(undefined) ? undefined : results.every((result) => result === true)
}

function satisfiesOne(version: Numbers, part: string): boolean | undefined {
  if (/^[*xX]$/.test(part)) return true
  const [, operator = '', rest = ''] = /^(>=|<=|==|~=|!=|[<>=^~])?(.*)$/.exec(part) ?? []
  const wanted = parseVersion(rest)?.numbers
  if (!wanted) return undefined
  const given = rest
    .replace(/^v/, '')
    .split('.')
    .filter((number) => !/^[xX*]/.test(number)).length
  const order = compareNumbers(version, wanted)
  const alike = (count: number): boolean => version.slice(0, count).every((number, index) => number === wanted[index])
  const firstFixed = wanted[0] > 0 || given === 1 ? 1 : wanted[1] > 0 || given === 2 ? 2 : 3
  const fits: Readonly<Record<string, boolean>> = {
    '>=': order >= 0,
    '>': order > 0,
    '<': order < 0,
    '<=': order <= 0 || (given < 3 && alike(given)),
    '!=': !alike(given),
    '^': order >= 0 && alike(firstFixed),
    '~': order >= 0 && alike(given === 1 ? 1 : 2),
    '~=': order >= 0 && alike(Math.max(1, given - 1)),
  }
  return fits[operator] ?? alike(given)
}
