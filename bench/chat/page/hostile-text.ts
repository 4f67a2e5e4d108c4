// Texts that are made to hold a page up, and texts of a seeded fuzzer over their kinds. Shapes of Markdown: cmark's test/pathological_tests.py, markdown-it's
// test/pathological.mjs and issue 733, micromark-extension-gfm issue 8 (tables); marks upon marks: pop-os/cosmic-term issue 909; TeX: KaTeX issues 158,
// 2788 and 2793, and GHSA-64fm-8hw2-v72w; diagrams: mermaid issues 4408, 5877 and 6507.
import { seeded } from '#app/testing/seeded.ts'

const many = (count: number, of: (index: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(between)

const fuzzSeeds = 24
const fuzzLength = 240_000

type Random = () => number

/** Pieces by kind. Each may hold further pieces, up to a depth. */
const pieces: readonly ((next: Random, inside: () => string) => string)[] = [
  (next) => `${'word '.repeat(count(next, 40))}\n\n`,
  (_next, inside) => `**${inside()}** *${inside()}* ~~${inside()}~~`,
  (next, inside) => `> ${'> '.repeat(count(next, 30))}${inside()}\n`,
  (next, inside) => many(count(next, 30), (at) => `${'  '.repeat(at)}${at % 2 ? '-' : '1.'} ${inside()}\n`),
  (next, inside) => table(count(next, 30), count(next, 60), inside),
  (next) => many(count(next, 200), (at) => `a[^${at}] `),
  (next, inside) => `\n\n${many(count(next, 100), (at) => `[^${at}]: ${at % 9 ? 'note' : inside()}\n\n`)}`,
  (next) => `a${from(next, ['\u0301', '\u0323', '\u0489', '\u20dd', '\u1ab0'])}`.repeat(count(next, 2000)),
  (next) => `a${from(next, ['\u0301', '\u0489']).repeat(count(next, 9000))}`,
  (next) => many(count(next, 300), () => `${'`'.repeat(count(next, 40))}a`),
  (next) => '`'.repeat(count(next, 20_000)),
  (next) => many(count(next, 300), (at) => `[a][${at % 9}] ![a](b${at} "c") <https://example.com/${at}> `),
  (next) => `\n\n${many(count(next, 60), (at) => `[${at}]: https://example.com/${at} "a"\n`)}\n`,
  (next) => `\n${many(count(next, 60), (at) => `\`\`\`${from(next, ['ts', '', 'py'])}\nlet a = ${at}\n\`\`\`\n`)}`,
  (next) => from(next, ['word ', 'a', '* ', '<b ']).repeat(count(next, 30_000)),
  (next) => `$$${from(next, ['\\sqrt{', '2^{', '\\overline{', '\\left('])}`.repeat(count(next, 300)),
  (next, inside) => `${'['.repeat(count(next, 400))}${inside()}${'](a '.repeat(count(next, 400))}`,
  (next) => many(count(next, 200), () => `$${from(next, tex)}$ `),
  (next) => `$$${'\\frac{1}{'.repeat(count(next, 200))}x${'}'.repeat(count(next, 200))}$$\n\n`,
  (next) => `$$${'{'.repeat(count(next, 5000))}$$ \\[ ${'x^'.repeat(count(next, 2000))} \\]\n\n`,
  (next) =>
    `\n\`\`\`mermaid\n${from(next, ['graph TD', 'sequenceDiagram', 'gantt'])}\n${many(count(next, 600), (at) => `  a${at} --> a${at + 1}\n`)}\`\`\`\n`,
  (next) => `\n\`\`\`mermaid\ngraph LR\n  a[${'x'.repeat(count(next, 9000))}]\n\`\`\`\n`,
  (next) =>
    `\n\`\`\`${from(next, ['js', 'html', 'json', 'diff', 'xyz'])}\n${from(next, ['a = "', '<b>', '{"a":', '/*']).repeat(count(next, 4000))}\n\`\`\`\n`,
  (next) => `<${from(next, ['div', '!--', 'a href=', '![CDATA['])} `.repeat(count(next, 2000)),
  (next) => `${'#'.repeat(count(next, 8))} a\n`.repeat(count(next, 500)),
  (next) => `https://example.com/${'a/'.repeat(count(next, 3000))} `,
  (next) =>
    from(next, ['\u200b', '\u202e', '\u2066', '\ud83d', '\u{1F468}\u200D', '\u0627\u064b', '\u0915\u094d', '\u1100']).repeat(
      count(next, 5000),
    ),
]
const tex = ['x^2', '\\sqrt{a}', '\\sum_{i=0}^n', '\\begin{matrix}a&b\\\\c&d\\end{matrix}', '\\left(\\right.', '{'.repeat(50), '\\text{a}']
const count = (next: Random, most: number): number => 1 + Math.floor(next() ** 2 * most)
const from = (next: Random, all: readonly string[]): string => all[Math.floor(next() * all.length)] ?? ''
const table = (columns: number, rows: number, inside: () => string): string =>
  `\n\n|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${many(rows, (at) => `|${at % 7 ? 'b|'.repeat(columns) : `${inside().replaceAll('\n', ' ')}|`}\n`)}\n`

function fuzzed(seed: number): string {
  const next = seeded(seed)
  const piece = (depth: number): string =>
    pieces[Math.floor(next() * pieces.length)]?.(next, () => (depth > 3 ? 'x' : piece(depth + 1).slice(0, 2000))) ?? ''
  let text = ''
  while (text.length < fuzzLength) text += piece(0) + from(next, ['', ' ', '\n', '\n\n'])
  return text.slice(0, fuzzLength)
}

const letter = (at: number): string => String.fromCharCode(97 + at)
const diagram = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``

export const hostileTexts: Readonly<Record<string, () => string>> = {
  'footnotes, 3,000': () => `${many(3000, (at) => `word[^${at}]`, ' ')}\n\n${many(3000, (at) => `[^${at}]: note ${at}`, '\n\n')}`,
  'footnotes within the text, 3,000': () => many(3000, (at) => `word^[note ${at}]`, ' '),
  'one footnote, named 20,000 times': () => `${'a[^1] '.repeat(20_000)}\n\n[^1]: note`,
  'combining marks, 50,000 on a letter': () => `a${'\u0301'.repeat(50_000)}`,
  'combining marks, 50 on each letter': () => `a${'\u0301\u0323'.repeat(25)}`.repeat(2000),
  'combining marks in code': () => `\`\`\`\na${'\u0301'.repeat(50_000)}\n\`\`\``,
  'combining marks in a heading': () => `# a${'\u0489'.repeat(50_000)}`,
  'a table of 240 kB': () => `|a|b|c|\n|-|-|-|\n${many(10_000, (at) => `| ${at} | cell ${at} | x |\n`)}`,
  'a table of 2,000 columns': () => `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n${many(30, () => `|${'b|'.repeat(2000)}`, '\n')}`,
  'a table of empty cells': () => `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|\n'.repeat(2000)}`,
  'backticks, 2 MB': () => '`'.repeat(2_000_000),
  'backticks, 2 MB, with words': () => 'a ` b `` '.repeat(220_000),
  'backticks, longer and longer': () => many(2000, (at) => `e${'`'.repeat(at)}`),
  'backticks behind slashes': () => '``\\'.repeat(50_000),
  'nested inlines': () => `${'*'.repeat(60_000)}a${'*'.repeat(60_000)}`,
  'nested strong emphasis': () => `${'*a **a '.repeat(5000)}b${' a** a*'.repeat(5000)}`,
  'emphasis never opened': () => 'a_ '.repeat(30_000),
  'emphasis never closed': () => '_a '.repeat(30_000),
  'emphasis that does not match': () => '*a_ '.repeat(50_000),
  'emphasis in threes': () => `a**b${'c* '.repeat(50_000)}`,
  'links never opened': () => 'a]'.repeat(10_000),
  'links never closed': () => '[a'.repeat(10_000),
  'links and emphasis': () => '[ a_'.repeat(10_000),
  'unclosed links': () => '[a](<b'.repeat(30_000),
  'pattern [ (](': () => '[ (]('.repeat(40_000),
  'pattern ![[]()': () => '![[]()'.repeat(20_000),
  'nested brackets': () => `${'['.repeat(20_000)}a${']'.repeat(20_000)}`,
  'real links, 20,000': () => many(20_000, (at) => `[a](https://example.com/${at})`, ' '),
  'bare addresses': () => many(20_000, (at) => `https://example.com/${at}`, ' '),
  'angle brackets': () => `${'<'.repeat(400_000)}>`,
  'HTML, deep': () => `${'<div>'.repeat(20_000)}a${'</div>'.repeat(20_000)}`,
  'comments never closed': () => `</${'<!--'.repeat(100_000)}`,
  entities: () => '&amp;'.repeat(60_000),
  'nested quotes': () => `${'> '.repeat(50_000)}a`,
  'nested lists': () => many(1000, (at) => `${'  '.repeat(at)}* a\n`),
  'a list of 30,000': () => '- a\n'.repeat(30_000),
  'quotes, line by line': () => '> a\n'.repeat(50_000),
  'headings, 20,000': () => '# a\n'.repeat(20_000),
  'rules, 20,000': () => '---\n\n'.repeat(20_000),
  'hard breaks': () => 'a  \n'.repeat(40_000),
  'one line of 2 MB': () => 'word '.repeat(400_000),
  'one word of 2 MB': () => 'a'.repeat(2_000_000),
  'paragraphs, 2 MB': () => 'a few words of text\n\n'.repeat(95_000),
  'lines, 500,000': () => 'a\n'.repeat(500_000),
  'code of 2 MB': () => `\`\`\`js\n${many(60_000, (at) => `const name${at} = "value ${at}"\n`)}\`\`\``,
  'code in one line of 2 MB': () => `\`\`\`js\n${'const a = "b"; '.repeat(130_000)}\n\`\`\``,
  'fences, 10,000': () => '```js\na\n```\n'.repeat(10_000),
  'fences never closed': () => '```\n~~~\n'.repeat(20_000),
  'math, 5,000': () => '$x^2$ '.repeat(5000),
  'dollars never closed': () => '$a '.repeat(100_000),
  'signs of math never closed': () => '\\(a '.repeat(50_000),
  'references, 20,000': () => `${many(20_000, (at) => `[${at}]: u`, '\n')}\n\n${'[0] '.repeat(20_000)}`,
  'hidden characters, 100,000': () => 'a\u200b'.repeat(100_000),
  'right to left, 100,000': () => '\u202ea'.repeat(100_000),
  'joined emoji': () => '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'.repeat(20_000),
  'one emoji of 100,000 parts': () => '\u{1F468}\u200D'.repeat(100_000),
  'TeX, nested': () => `$$${'\\frac{1}{'.repeat(3000)}x${'}'.repeat(3000)}$$`,
  'TeX, a matrix': () => `$$\\begin{matrix}${'a & b \\\\ '.repeat(5000)}\\end{matrix}$$`,
  'TeX, one of 100 kB': () => `$$${'x_1 + '.repeat(17_000)}$$`,
  'TeX, roots in roots': () => `$$\\Huge ${'\\sqrt{'.repeat(300)}${'}'.repeat(300)}$$`,
  'TeX, powers of powers': () => `$$${'2^{'.repeat(300)}${'}'.repeat(300)}$$`,
  'TeX, 300 rules': () => '$\\rule{1em}{1em}\\sqrt{\\rule{1em}{2em}}$ '.repeat(300),
  'TeX, macros that double': () => `$$${many(26, (at) => `\\def\\${letter(at)}{\\${letter(at + 1)}\\${letter(at + 1)}}`)}\\a$$ `.repeat(20),
  'mermaid, a statement in one line': () => diagram('sequenceDiagram   participant A   participant B   B->>A: Hi   A->>B: Hi'),
  'mermaid, styles that backtrack': () => diagram(`flowchart TD\n${'style'.repeat(400)}#;${':'.repeat(400)}${'#'.repeat(400)}`),
  'mermaid, a long word in a mind map': () => diagram(`mindmap\n  root((a))\n    ${'abcdefghij'.repeat(500)}`),
  'mermaid, each with each': () => diagram(`graph TD\n${many(22, (a) => many(22, (b) => `  a${a} --> a${b}\n`))}`),
  'mermaid, 5,000 arrows': () => `\`\`\`mermaid\ngraph TD\n${many(5000, (at) => `  a${at} --> a${at + 1}\n`)}\`\`\``,
  'mermaid, 200 diagrams': () => '```mermaid\ngraph TD\n  a --> b\n```\n\n'.repeat(200),
  ...Object.fromEntries(Array.from({ length: fuzzSeeds }, (_, at) => [`fuzzed, seed ${at + 1}`, () => fuzzed(at + 1)])),
}
