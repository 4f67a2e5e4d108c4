// Words of a text for comparison: lower case, without endings, synonyms as one. English only, and small on purpose: the practice model
// shows how Assent works, it does not understand.

const stops = new Set(
  'a an and are as at be but by can could do does for from get give has have how i in is it its let me my of off on one or our please run so some tell that the their them then there these this those to up us use want was we what which will with would you your'.split(
    ' ',
  ),
)

/** Synonyms of the first word, line by line. */
const synonyms = new Map(
  [
    'list show display see find enumerate view ls',
    'total sum add count tally',
    'rename renaming retitle',
    'book reserve booking reservation schedule',
    'room meetingroom',
    'summary summarize summarise summarization recap',
    'prepare make create generate build compile',
    'report overview',
    'chart graph plot diagram',
    'delete remove erase',
    'read open cat load',
    'write save store',
    'search query lookup grep',
    'send mail email post',
    'move mv relocate',
    'folder directory dir',
    'picture image photo',
    'invoice bill',
  ].flatMap((line) => {
    const [first = '', ...rest] = line.split(' ').map(trimEnding)
    return rest.map((word) => [word, first] as const)
  }),
)

/** Cuts English endings: roughly, but the same for both sides of a comparison. */
function trimEnding(word: string): string {
  let cut = word
  for (const [ending, instead] of [
    ['ies', 'y'],
    ['sses', 'ss'],
    ['ing', ''],
    ['ed', ''],
    ['s', ''],
  ] as const) {
    if (cut.length > ending.length + 2 && cut.endsWith(ending) && !(ending === 's' && cut.endsWith('ss'))) {
      cut = cut.slice(0, -ending.length) + instead
      break
    }
  }
  return cut.length > 3 && cut.endsWith('e') ? cut.slice(0, -1) : cut
}

/** Splits a text into stems: `list_invoices`, `listInvoices` and "List the invoices" give the same two. */
export function stemmedWords(text: string): string[] {
  const raw = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return (raw ?? []).filter((word) => !stops.has(word)).map((word) => canonical(word))
}

export function canonical(word: string): string {
  const cut = trimEnding(word)
  return synonyms.get(cut) ?? cut
}
