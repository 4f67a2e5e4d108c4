// Bytes as hex, sixteen in a row. Pure.
export const bytesPerRow = 16

export interface HexRow {
  /** Where it begins. */
  readonly at: string
  readonly hex: string
  /** ASCII letters; a dot for all else. */
  readonly letters: string
}

export const hexText = (value: number): string => value.toString(16).padStart(8, '0')

export function hexRow(bytes: Uint8Array, row: number): HexRow {
  const start = row * bytesPerRow
  const part = [...bytes.subarray(start, start + bytesPerRow)]
  const pairs = part.map((byte) => byte.toString(16).padStart(2, '0'))
  const half = bytesPerRow / 2
  return {
    at: hexText(start),
    hex: [pairs.slice(0, half).join(' '), pairs.slice(half).join(' ')].filter(Boolean).join('  '),
    letters: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
  }
}
