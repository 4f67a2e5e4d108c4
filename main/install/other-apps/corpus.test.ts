// Snippets and files as other programs' documentation shows them, good and broken, each beside what is to be found in it.
// `HOST--name.ext` is a whole file of that program, any other file is text that somebody pastes. Sentences are not part of
// it: a problem is its place and its server. `UPDATE_CORPUS=1` writes what is found now, to be read before it is kept.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Snippet } from '#app/server/candidate.ts'
import type { ConfigProblem, ServerDefinition } from '#app/server/definition.ts'
import { hostId } from '#app/server/import/app-names.ts'
import { readHostFile, readSnippet } from '#app/server/import/read-snippet.ts'

const folder = join(import.meta.dirname, '../../../app/server/import/corpus')
const files = readdirSync(folder).filter((name) => !name.endsWith('.expected.json'))

const placeOf = ({ line, column, server }: ConfigProblem): string =>
  [`${line}:${column}`, ...(server === undefined ? [] : [server])].join(' ')

/** Only what is not so for every server. */
function essence(definition: ServerDefinition): object {
  const { enabled, start, trusted, transport, ...rest } = definition
  const fields = Object.entries(rest).filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0)
  return {
    ...(transport === 'stdio' ? {} : { transport }),
    ...Object.fromEntries(fields),
    ...(enabled ? {} : { enabled }),
    ...(start === 'needed' ? {} : { start }),
    ...(trusted ? { trusted } : {}),
  }
}

const summary = ({ format, servers, inputs, problems }: Snippet): object => ({
  format,
  servers: servers.map(({ name, definition, secrets, project, line, column, ...rest }) => ({
    name,
    at: `${line}:${column}`,
    ...essence(definition),
    ...(secrets.length > 0 ? { secrets } : {}),
    ...(project === undefined ? {} : { project }),
    ...(rest.problems.length > 0 ? { notes: rest.problems.map(placeOf) } : {}),
  })),
  ...(inputs.length > 0 ? { inputs } : {}),
  ...(problems.length > 0 ? { problems: problems.map(placeOf) } : {}),
})

const read = (name: string): Snippet => {
  const text = readFileSync(join(folder, name), 'utf8')
  const host = hostId.safeParse(name.split('--')[0])
  return host.success ? readHostFile(host.data, text, name) : readSnippet(text, name)
}

describe('the corpus of snippets and files', () => {
  it('is as large as it has to be', () => {
    expect(files.length).toBeGreaterThanOrEqual(80)
  })

  it.each(files)('%s', (name) => {
    const path = join(folder, `${name}.expected.json`)
    const found = summary(read(name))
    if (process.env['UPDATE_CORPUS']) writeFileSync(path, `${JSON.stringify(found, null, 1)}\n`)
    expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')))
  })
})
