// The letters that a host name stands for where it is written in ASCII (RFC 3492): for showing them, never for comparing
// or for going anywhere.

const base = 36
const [least, most, skew, damp] = [1, 26, 38, 700]

/** RFC 3492, 6.1. */
function adapt(delta: number, points: number, first: boolean): number {
  let rest = first ? Math.floor(delta / damp) : delta >> 1
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((base - least) * most) >> 1; k += base) rest = Math.floor(rest / (base - least))
  return k + Math.floor(((base - least + 1) * rest) / (rest + skew))
}

/** RFC 3492, 6.2. Undefined: it stands for nothing. */
function decodeLabel(label: string): string | undefined {
  const basic = label.lastIndexOf('-')
  const output = [...label.slice(0, Math.max(0, basic))].map((letter) => letter.codePointAt(0) ?? 0)
  let [n, i, bias] = [128, 0, 72]
  for (let at = basic + 1; at < label.length; ) {
    const before = i
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = Number.parseInt(label[at++] ?? '-', base)
      // Digits follow the letters there, and come before them here.
      const value = digit < 10 ? digit + 26 : digit - 10
      if (Number.isNaN(digit)) return undefined
      i += value * weight
      const threshold = Math.min(most, Math.max(least, k - bias))
      if (value < threshold) break
      weight *= base - threshold
      if (weight > 0x7fff_ffff) return undefined
    }
    const points = output.length + 1
    bias = adapt(i - before, points, before === 0)
    n += Math.floor(i / points)
    i %= points
    if (n > 0x10_ffff) return undefined
    output.splice(i++, 0, n)
  }
  return String.fromCodePoint(...output)
}

/** `xn--e1afmkfd.example` → `пример.example`; a label that stands for nothing is left as it is. */
export const unicodeHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join('.')
