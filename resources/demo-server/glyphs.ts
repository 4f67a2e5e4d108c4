// A 5 × 7 pixel alphabet, five columns a glyph, the lowest bit at the top. Enough to label a chart.
const columns: Readonly<Record<string, string>> = {
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  '.': '0060600000',
  '-': '0808080808',
  '&': '3649552250',
  ' ': '0000000000',
}
export const glyphWidth = 6
export const glyphHeight = 7

/** The lit pixels of a line of text: capitals without accents; what has no glyph becomes a dash. */
export function* litPixels(text: string): Generator<readonly [x: number, y: number]> {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  for (const [index, character] of [...plain].entries()) {
    const glyph = Buffer.from(columns[character] ?? '0808080808', 'hex')
    for (const [x, bits] of glyph.entries()) for (let y = 0; y < glyphHeight; y += 1) if (bits & (1 << y)) yield [index * glyphWidth + x, y]
  }
}
