import { describe, expect, it } from 'vitest'
import type { Candidate } from '#app/server/candidate.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { type CandidateOptions, candidateEntries, carryChanges, formToSave, setupOf, toSave } from './candidate-list.ts'

const definition = (env: Record<string, string> = {}): StdioDefinition => ({
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'notes-mcp'],
  env,
  enabled: true,
  start: 'needed',
  trusted: false,
})
const found = (name: string, env: Record<string, string> = {}, secrets: string[] = []): Candidate => ({
  name,
  definition: definition(env),
  secrets,
  problems: [],
})
const entries = (servers: Candidate[], more: Partial<CandidateOptions> = {}) =>
  candidateEntries({ servers, inputs: [], changes: [], taken: [], keep: true, ...more })

describe('servers that were found', () => {
  it('get names that nobody has, and say so where the person chose one that is taken', () => {
    const all = entries([found('a'), found('a'), found('b')], { taken: ['a'], changes: [undefined, undefined, { name: 'a-2' }] })
    expect(all.map(({ name, error }) => [name, error !== undefined])).toEqual([
      ['a-2', true],
      ['a-3', false],
      ['a-2', true],
    ])
  })

  it('count by their form once they were set up, and cannot be added while something in it is wrong', () => {
    const [plain] = entries([found('a', { KEY: 'v' }, ['KEY'])])
    if (!plain) throw new Error('there is one')
    const setup = setupOf(plain, undefined, [])
    const set = (command: string) =>
      entries([found('a', { KEY: 'v' }, ['KEY'])], { changes: [{ setup: { ...setup, form: { ...setup.form, command } } }] })[0]
    expect(set('uvx')).toMatchObject({ definition: { command: 'uvx' }, keep: ['KEY'], error: undefined })
    expect(set('')?.error).toBeDefined()
  })

  it('leave a secret in the file in the form too, where that was said in the list', () => {
    const [plain] = entries([found('a', { KEY: 'v' }, ['KEY'])], { keep: false })
    expect(plain && formToSave(setupOf(plain, undefined, []), true)).toEqual({ name: 'a', definition: definition({ KEY: 'v' }) })
  })

  it('tell which values are still to be entered, and hand over those that are', () => {
    const servers = [found('a', { ONE: inputReference('one'), TWO: inputReference('two') })]
    const inputs = [{ id: 'two', password: false, description: 'The second', default: 'eu' }]
    const [plain] = entries(servers, { inputs })
    expect(plain?.missing).toEqual([
      { id: 'one', password: true, set: false, shared: false },
      { id: 'two', password: false, description: 'The second', default: 'eu', set: false, shared: false },
    ])
    const setup = plain && setupOf(plain, undefined, inputs)
    expect(setup?.values).toEqual({ two: 'eu' })
    const [entered] = setup ? entries(servers, { inputs, changes: [{ setup }] }) : []
    expect(entered?.missing.map(({ id }) => id)).toEqual(['one'])
    expect(toSave('a', definition({ ONE: inputReference('one') }), [], { one: 'x', other: 'y' }).values).toEqual({ one: 'x' })
  })

  it('keep what was changed of them while the text around them changes', () => {
    const change = { name: 'mine' }
    expect(carryChanges([found('a'), found('b')], [found('b'), found('c')], [undefined, change])).toEqual([change, undefined])
  })
})
