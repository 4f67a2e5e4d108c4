// Text as search terms: `list_invoices`, `listInvoices` and "List the invoices" give the same two. English endings are cut; scripts
// without spaces between words give pairs of characters.

const stops = new Set(
  (
    'a an and any are as at be been being but by can could did do does doing for from had has have he her here him his how i if in into is ' +
    'it its just let like may me might mine my of off oh ok okay on onto or our ours out over per please she should so some than thank ' +
    'thanks that the their them then there these they this those to too up us very want wants was we were what when where which who whom ' +
    'whose why will with would you your yours need needs want also about again all am because before both each etc hello hey hi its ' +
    'really something somehow tell ve ll re don isn doesn didn can cannot im id dont whats lets gonna wanna'
  ).split(' '),
)

const separate = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const marks = /\p{M}+/gu
/** ASCII, which most texts are and which is read in a fraction of the time. */
const plain = /^[\0-\x7f]*$/
/** Characters of a text that are read: a person may paste a book. */
const LONGEST_TEXT = 20_000

/** Stems a lower-case word. The stem need not be a word, only the same for both sides of a comparison. */
export function stemWord(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  let cut = plural(word)
  for (const [ending, instead, least] of endings) {
    if (!cut.endsWith(ending) || cut.length - ending.length < least) continue
    cut = cut.slice(0, -ending.length) + instead
    break
  }
  if (cut.length > 3 && /([bdfgklmnprt])\1$/.test(cut) && !cut.endsWith('ll')) cut = cut.slice(0, -1)
  if (cut.length > 3 && cut.endsWith('e')) return cut.slice(0, -1)
  return cut.length > 3 && cut.endsWith('y') ? `${cut.slice(0, -1)}i` : cut
}

/** Endings, their replacements, and the number of letters that must stand before them. */
const endings: readonly (readonly [string, string, number])[] = [
  ['ification', 'ifi', 2],
  ['ization', 'iz', 3],
  ['isation', 'iz', 3],
  ['ations', 'at', 3],
  ['ation', 'at', 3],
  ['ition', 'it', 4],
  ['ution', 'ut', 3],
  ['etion', 'et', 3],
  ['ction', 'ct', 2],
  ['sion', 's', 4],
  ['ising', 'iz', 3],
  ['ised', 'iz', 3],
  ['ise', 'iz', 4],
  ['ment', '', 4],
  ['ings', '', 3],
  ['ing', '', 3],
  ['ied', 'i', 2],
  ['ed', '', 3],
  ['ies', 'i', 2],
  ['ly', '', 4],
  ['er', '', 4],
  ['or', '', 5],
]

function plural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

const stems = new Map<string, string>()
const MOST_STEMS = 50_000

function stemOnce(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const made = stemWord(word)
  stems.set(word, made)
  return made
}

/** Terms in the order of the text, with repetitions. */
export function searchTerms(text: string): string[] {
  const cut = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text
  const terms: string[] = []
  const add = (word: string): void => {
    if (!stops.has(word) && (word.length > 1 || (word >= '0' && word <= '9'))) terms.push(stemOnce(word))
  }
  if (plain.test(cut)) {
    for (const [word] of cut.matchAll(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+[a-z]*/g)) add(word.toLowerCase())
    return terms
  }
  const split = cut
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
  for (const [word] of split.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (separate.test(word)) terms.push(...pairsOf(word))
    else add(word)
  }
  return terms
}

function pairsOf(word: string): string[] {
  const characters = [...word]
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Words for the same thing in general English and that of offices and computers, no products. A word may stand in several lines. */
const lines = [
  'mail email inbox',
  'message chat dm',
  'send post write reply',
  'meeting appointment event calendar',
  'calendar schedule agenda',
  'picture photo image',
  'delete remove erase trash discard',
  'cancel abort stop',
  'cancel delete remove',
  'search find query lookup locate',
  'show list display view see',
  'read get fetch open retrieve view',
  'create make add new',
  'update edit change modify set',
  'rename title name',
  'move relocate transfer',
  'copy duplicate clone',
  'folder directory',
  'file document',
  'document doc page note',
  'ticket issue bug task',
  'task todo reminder',
  'bug error exception crash',
  'error failure problem incident',
  'outage incident alert',
  'alert alarm warning notification',
  'person people user contact member employee',
  'customer client account',
  'company organization account',
  'lead prospect deal opportunity',
  'pay payment charge',
  'refund reimburse repay',
  'invoice bill receipt',
  'subscription plan membership',
  'price cost rate quote',
  'money balance cash funds',
  'order purchase buy',
  'shop store product',
  'restaurant cafe food place',
  'nearby near around close',
  'directions route navigate way',
  'drive car travel distance',
  'hotel room accommodation stay',
  'flight plane fly airline',
  'book reserve reservation booking',
  'weather forecast rain temperature',
  'light lamp bulb',
  'temperature thermostat heating heat warm cold',
  'music song track',
  'play listen resume',
  'pause stop halt',
  'video movie film',
  'subtitle caption transcript',
  'summary summarize recap overview',
  'translate translation language',
  'log trace output',
  'metric statistic measure graph chart',
  'chart graph plot diagram',
  'database table sql',
  'row record entry',
  'column field property attribute',
  'branch ref',
  'merge combine join',
  'pull pr merge request',
  'review approve feedback',
  'comment reply note remark',
  'commit change revision history',
  'history version revision past',
  'undo revert restore rollback',
  'deploy release rollout ship publish',
  'build pipeline job workflow ci',
  'start run launch execute trigger begin',
  'stop halt terminate kill shutdown',
  'restart reboot',
  'server machine instance host vm',
  'container pod',
  'scale replicas size capacity',
  'secret password credential key token',
  'permission access share role',
  'share invite grant',
  'assign assignee owner responsible',
  'label tag category',
  'status state progress',
  'due deadline',
  'finish complete done close resolve',
  'web website site page url',
  'download fetch export save',
  'upload attach import',
  'convert transform',
  'sheet spreadsheet cell',
  'slide presentation deck',
  'call phone ring',
  'text sms',
  'track tracking shipment parcel package delivery',
  'time clock timer hour',
  'free available availability busy',
  'total sum count number',
  'news headline article',
  'stock share quote market',
  'currency exchange convert',
  'workout exercise activity training',
  'sleep night',
  'recipe cook meal dish',
  'diff difference compare changed',
  'replace substitute',
  'vacation leave holiday off',
  'salary payroll pay',
  'hire candidate applicant',
  'survey form questionnaire answer response',
  'campaign newsletter',
  'audience list segment subscriber',
  'traffic visitor session analytics',
  'site visitor realtime',
  'mailbox inbox email reply',
  'mail parcel shipping',
  'say tell post send',
  'dark sunset',
  'dim bright brightness',
  'loud quiet volume',
  'cosy light',
  'lamp light',
  'research paper study',
  'election news web',
  'sign signature agree',
  'earn profit revenue',
  'win result',
  'boss manager',
  'block ban deny',
  'keep cut trim crop',
  'jog walk activity workout',
  'wire transfer',
  'learn flashcard quiz course',
  'diary calendar',
  'song track playlist',
  'bed hotel room',
  'table reservation restaurant',
  'eat meal food recipe',
  'wiki article page',
  'complain ticket support',
  'happy satisfaction rating',
  'opening job vacancy',
  'wake oncall page',
  'cover override replace',
  'catch history recent',
]

function groups(): ReadonlyMap<string, ReadonlySet<string>> {
  const alike = new Map<string, Set<string>>()
  for (const line of lines) {
    const group = line.split(' ').map(stemWord)
    for (const term of group) {
      const others = alike.get(term) ?? new Set()
      for (const other of group) if (other !== term) others.add(other)
      alike.set(term, others)
    }
  }
  return alike
}

const none: ReadonlySet<string> = new Set()
let alike: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** Terms that may mean the same as this one. */
export function synonymsOf(term: string): ReadonlySet<string> {
  alike ??= groups()
  return alike.get(term) ?? none
}
