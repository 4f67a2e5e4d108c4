// What is streamed and opened: the same text in every run, of what answers are made of.
import { seeded } from '#app/testing/seeded.ts'

const words =
  'invoice server folder result total month because every value already between open model which answer number small large change through waits before after person tool page several'.split(
    ' ',
  )

function sentences(next: () => number, count: number): string {
  const pick = (): string => words[Math.floor(next() * words.length)] ?? ''
  return Array.from({ length: count }, () => {
    const all = Array.from({ length: 8 + Math.floor(next() * 10) }, pick)
    if (next() < 0.3) all[2] = `**${all[2]}**`
    if (next() < 0.3) all[4] = `\`${all[4]}\``
    if (next() < 0.1) all[5] = `[${all[5]}](https://example.com/${all[5]})`
    return `${all.join(' ')}.`
  }).join(' ')
}

const codeLine = (next: () => number, index: number): string =>
  `  const ${words[index % words.length]}${index} = await read("${words[Math.floor(next() * words.length)]}", ${Math.floor(next() * 1000)}) // ${index}`

function section(next: () => number, index: number, codeLines: number): string {
  return [
    `## Part ${index}`,
    sentences(next, 4),
    Array.from({ length: 4 }, () => `- ${sentences(next, 1)}`).join('\n'),
    sentences(next, 5),
    `| name | ${words[index % words.length]} | count |\n|---|---|--:|\n${Array.from({ length: 5 }, (_, row) => `| ${words[row]} | ${sentences(next, 1).slice(0, 40).replaceAll('`', '').replaceAll('*', '')} | ${Math.floor(next() * 1e4)} |`).join('\n')}`,
    `\`\`\`ts\n${Array.from({ length: codeLines }, (_, line) => codeLine(next, line)).join('\n')}\n\`\`\``,
    sentences(next, 3),
    '',
  ].join('\n\n')
}

/** About so many characters; a block of 400 lines of code stands in its midst. */
export function longAnswer(length: number): string {
  const next = seeded(7)
  let text = ''
  let long = false
  for (let index = 1; text.length < length; index++) {
    const inTheMidst: boolean = !long && text.length > length / 2
    text += section(next, index, inTheMidst ? 400 : 12)
    long ||= inTheMidst
  }
  return text.slice(0, length)
}

/** Of a conversation: question and answer in turn, about 950 characters each on average. */
export function messageTexts(count: number): readonly string[] {
  const next = seeded(11)
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? sentences(next, 2).replace(/[*`]/g, '') : section(next, index, index % 10 === 1 ? 12 : 3),
  )
}
