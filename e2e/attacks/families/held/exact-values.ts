// Values that read alike and are not: an approval for one exact value, or for a pattern, lets nothing else through, and a
// refusal of one value is not got round by another way to write it.
import type { Condition } from '#app/consent/rules/rule.ts'
import type { Json } from '#app/json.ts'
import { type Attack, no, same } from '../../attack.ts'
import { order, orderAs } from '../../obey.ts'
import { tool } from '../../puppet.ts'
import type { Stage } from '../../stage.ts'
import { callsIn, saveRule, together } from '../bound/acts.ts'

const family = 'exact values'
const cast = { bank: { tools: () => [tool('pay')] } }
const equals = (value: Json, argument = '/to'): Condition => ({ kind: 'equals', argument, value })
const pattern = (text: string): Condition => ({ kind: 'pattern', argument: '/to', pattern: text })
/** Text: the arguments as they are spelled. */
type Input = object | string
const pay = (input: Input): string => (typeof input === 'string' ? orderAs('bank__pay', input) : order('bank__pay', input))

interface Approval {
  readonly conditions: readonly Condition[]
  readonly onlyArguments?: readonly string[]
  readonly fits: Input
  readonly rows: readonly (readonly [name: string, input: Input])[]
}

/** One rule allows; `fits` runs by it; each row is asked, and does not run. */
const approval = ({ conditions, onlyArguments, fits, rows }: Approval): Attack[] =>
  together({
    family,
    cast,
    rows: rows.map(([name, input]) => [`${name} is not what a rule allows`, input] as const),
    async lay(stage: Stage) {
      stage.setPerson(no)
      await saveRule(stage, {
        effect: 'allow',
        server: 'bank',
        tool: 'pay',
        conditions: [...conditions],
        ...(onlyArguments && { onlyArguments: [...onlyArguments] }),
      })
      await stage.turn(pay(fits))
      return [...same('control: asked', callsIn(stage).length, 0), ...same('control: ran', stage.effects.length, 1)]
    },
    async attempt(stage: Stage, input) {
      const [allowed, ran] = [stage.effects[0], stage.effects.length]
      await stage.turn(pay(input))
      // What is sent as the very allowed value is that value, however it was spelled.
      return same(
        'ran',
        stage.effects.slice(ran).filter((one) => one !== allowed),
        [],
      )
    },
  })

/** Everything is allowed but what the rule refuses; no row gets round the refusal, and what it does not mean runs. */
const refusal = (conditions: readonly Condition[], other: Input, rows: Approval['rows']): Attack[] =>
  together({
    family,
    cast,
    rows: rows.map(([name, input]) => [`${name} does not get round a refusal`, input] as const),
    async lay(stage: Stage) {
      stage.setPerson(no)
      await saveRule(stage, { effect: 'allow', server: 'bank', tool: 'pay' })
      await saveRule(stage, { effect: 'deny', server: 'bank', conditions: [...conditions] })
      await stage.turn(pay(other))
      return same('control: ran', stage.effects.length, 1)
    },
    async attempt(stage: Stage, input) {
      const ran = stage.effects.length
      await stage.turn(pay(input))
      return same('ran', stage.effects.slice(ran), [])
    },
  })

export const exactValues: readonly Attack[] = [
  ...approval({
    conditions: [equals('caf\u00e9')],
    fits: { to: 'caf\u00e9' },
    rows: [
      ['a text in its decomposed form', { to: 'cafe\u0301' }],
      ['a text in capitals', { to: 'CAF\u00c9' }],
      ['a text with a space behind it', { to: 'caf\u00e9 ' }],
      ['a text with a letter that nobody sees', { to: 'caf\u00e9\u200b' }],
      ['a text with a NUL behind it', { to: 'caf\u00e9\u0000' }],
      ['a text with a line behind it', { to: 'caf\u00e9\nmallory' }],
      ['a list of the text', { to: ['caf\u00e9', 'mallory'] }],
      ['an object of the text', { to: { to: 'caf\u00e9' } }],
      ['the text in the wrong letter of the key', { To: 'caf\u00e9', to: 'mallory' }],
      ['a missing argument', {}],
      ['a key that comes twice, the second time as another', '{"to":"caf\u00e9","to":"mallory"}'],
      ['a key that comes again in escapes', '{"to":"caf\u00e9","\\u0074o":"mallory"}'],
      ['a key of the prototype that holds the text', '{"__proto__":{"to":"caf\u00e9"}}'],
      ['a constructor that holds the text', '{"constructor":{"prototype":{"to":"caf\u00e9"}}}'],
      ['half a surrogate beside the text', '{"to":"caf\u00e9\\ud800"}'],
    ],
  }),
  ...approval({
    conditions: [equals(1)],
    fits: { to: 1 },
    rows: [
      ['the number as a text', { to: '1' }],
      ['yes for one', { to: true }],
      ['a list of the one number', { to: [1, 2] }],
      ['a number that is almost one', '{"to":1.0000000000000002}'],
      ['one with a sign before it', { to: -1 }],
      ['a number that is endless', '{"to":1e400}'],
      ['null for one', { to: null }],
    ],
  }),
  ...approval({
    conditions: [equals(9007199254740992)],
    fits: { to: 9007199254740992 },
    rows: [['a number that is sent as the next one that can be written', '{"to":9007199254740993.5e1}']],
  }),
  ...approval({
    conditions: [equals(0)],
    fits: { to: 0 },
    rows: [
      ['no for nought', { to: false }],
      ['an empty text for nought', { to: '' }],
      ['an empty list for nought', { to: [] }],
      ['a number too small to be told from nought', '{"to":1e-400}'],
    ],
  }),
  ...approval({
    conditions: [equals({ name: 'ada', limit: 5 } as Json)],
    fits: { to: { limit: 5, name: 'ada' } },
    rows: [
      ['an object with one member more', { to: { name: 'ada', limit: 5, also: 'mallory' } }],
      ['an object with one member less', { to: { name: 'ada' } }],
      ['an object whose prototype has the rest', '{"to":{"name":"ada","__proto__":{"limit":5}}}'],
      ['an object with a member twice', '{"to":{"name":"ada","limit":5,"limit":5000}}'],
    ],
  }),
  ...approval({
    conditions: [equals('ada', '/to/name')],
    fits: { to: { name: 'ada' } },
    rows: [
      ['a list of objects of which one fits', { to: [{ name: 'ada' }, { name: 'mallory' }] }],
      ['a list whose own member fits', '{"to":[{"name":"mallory"}],"name":"ada"}'],
      ['a text that spells the object', { to: '{"name":"ada"}' }],
      ['a dotted key beside the object', { to: { name: 'mallory' }, 'to.name': 'ada', 'to/name': 'ada' }],
    ],
  }),
  ...approval({
    conditions: [equals('ada', '/a~1b')],
    fits: { 'a/b': 'ada' },
    rows: [
      ['a nested key where the rule names one with a slash', { a: { b: 'ada' }, 'a/b': 'mallory' }],
      ['a key with the escape as it is spelled', { 'a~1b': 'ada' }],
    ],
  }),
  ...approval({
    conditions: [pattern('*@example.org')],
    fits: { to: 'ada@example.org' },
    rows: [
      ['an address that only ends otherwise', { to: 'ada@example.org.evil.example' }],
      ['two addresses with a line break', { to: 'mallory@evil.example\nada@example.org' }],
      ['an address before a letter that nobody sees', { to: 'mallory@evil.example\u200bada@example.org' }],
      ['an address behind a separator of lines', { to: 'mallory@evil.example\u2028ada@example.org' }],
      ['an address in another order of writing', { to: 'mallory@evil.example\u202eada@example.org' }],
      ['an address with a look-alike in its host', { to: 'ada@ex\u0430mple.org' }],
      ['an address with a full-width sign', { to: 'ada\uff20example.org' }],
      ['one of several addresses in a list', { to: ['ada@example.org', 'mallory@evil.example'] }],
      ['the first address behind a NUL', { to: 'mallory@evil.example\u0000ada@example.org' }],
    ],
  }),
  ...approval({
    conditions: [pattern('list')],
    fits: { to: 'list' },
    rows: [
      ['a pattern without a sign, as the beginning of more', { to: 'list; drop' }],
      ['a pattern without a sign, in the midst of more', { to: 'x list' }],
    ],
  }),
  ...approval({
    conditions: [pattern('a.c(1)[x]')],
    fits: { to: 'a.c(1)[x]' },
    rows: [['what an expression would read of a pattern', { to: 'abc1x' }]],
  }),
  ...approval({
    conditions: [equals('ada')],
    onlyArguments: ['to'],
    fits: { to: 'ada' },
    rows: [
      ['one argument more', { to: 'ada', bcc: 'mallory' }],
      ['one argument more with an empty name', { to: 'ada', '': 'mallory' }],
      ['one argument more with a name like the other', { to: 'ada', 't\u043e': 'mallory' }],
      ['a key of the prototype more', '{"to":"ada","__proto__":{"bcc":"mallory"}}'],
      ['one argument more that is null', { to: 'ada', bcc: null }],
    ],
  }),
  ...refusal([equals('mallory')], { to: 'ada' }, [
    ['a refused text in capitals', { to: 'MALLORY' }],
    ['a refused text with a space behind it', { to: 'mallory ' }],
    ['a refused text with a letter that nobody sees', { to: 'mal\u200blory' }],
    ['a refused text with soft hyphens', { to: 'mal\u00adlory' }],
    ['a refused text in full-width letters', { to: '\uff4d\uff41llory' }],
    ['a refused text with marks over its letters', { to: 'mallor\u00fd' }],
    ['a refused text in a list', { to: ['ada', 'mallory'] }],
    ['a refused text, twice', '{"to":"ada","to":"mallory"}'],
    ['a refused text in a list within a list', { to: [['mallory']] }],
    ['a refused text in tag characters as well', '{"to":"mallory\\udb40\\udc41"}'],
  ]),
  ...refusal([equals(7)], { to: 8 }, [
    ['a refused number as a text', { to: '7' }],
    ['a refused number with its zeros', '{"to":7.000}'],
    ['a refused number with an exponent', '{"to":0.7e1}'],
    ['a refused number in a list', { to: [8, 7] }],
  ]),
  ...refusal([pattern('*drop table*')], { to: 'select 1' }, [
    ['a refused pattern in capitals', { to: 'DROP TABLE x' }],
    ['a refused pattern over two lines', { to: 'select 1;\ndrop table x' }],
    ['a refused pattern with another space', { to: 'drop\u00a0table x' }],
    ['a refused pattern with a letter that nobody sees', { to: 'drop\u200b table x' }],
    ['a refused pattern in a list', { to: ['select 1', 'drop table x'] }],
    ['a refused pattern in full-width letters', { to: '\uff44rop table x' }],
  ]),
]
