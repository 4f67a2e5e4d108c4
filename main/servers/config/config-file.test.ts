import { describe, expect, it } from 'vitest'
import { readConfig } from '#app/server/config/read-config.ts'
import { type ServerDefinition, secretMask } from '#app/server/definition.ts'
import { removeEntry, renameEntry, setEntry } from './config-file.ts'
import { maskDefinition, unmaskDefinition } from './mask-definition.ts'

const text = `{
    // the house rules
    "theme": "dark",
    "mcpServers": {
        /* notes */
        "notes": {
            "command": "npx", // pinned
            "args": ["-y", "notes"],
            "icon": "n",
            "env": {
                // from the vault
                "NOTES_TOKEN": "s3cret",
                "LANG": "C"
            }
        },
        "web": { "type": "http", "url": "https://x.example/mcp" }
    }
}
`
const definitionOf = (source: string, name: string): ServerDefinition => {
  const definition = readConfig(source, 'f').definitions.get(name)
  if (!definition) throw new Error(`${name} is not in the text`)
  return definition
}

describe('setEntry', () => {
  it('changes nothing when nothing changed', () => {
    for (const name of ['notes', 'web']) expect(setEntry(text, name, definitionOf(text, name))).toBe(text)
  })

  it('keeps comments, unknown keys, order and indentation', () => {
    const notes = definitionOf(text, 'notes')
    if (notes.transport !== 'stdio') throw new Error('not stdio')
    const changed = setEntry(text, 'notes', { ...notes, command: 'node', enabled: false, env: { NOTES_TOKEN: 'other', TZ: 'UTC' } })
    expect(changed).toContain('// the house rules')
    expect(changed).toContain('"command": "node", // pinned')
    expect(changed).toContain('// from the vault\n                "NOTES_TOKEN": "other"')
    expect(changed).toContain('"icon": "n"')
    expect(changed).toContain('            "disabled": true')
    expect(definitionOf(changed, 'notes')).toEqual({ ...notes, command: 'node', enabled: false, env: { NOTES_TOKEN: 'other', TZ: 'UTC' } })
    expect(definitionOf(changed, 'web')).toEqual(definitionOf(text, 'web'))
  })

  it('changes settings for signing in one by one, and leaves what another program wrote among them', () => {
    const source = `{
  "mcpServers": {
    "web": {
      "url": "https://x.example/mcp",
      "oauth": {
        // from their page
        "clientId": "a",
        "dpop": true,
        "theirs": { "kept": true }
      }
    }
  }
}
`
    const web = definitionOf(source, 'web')
    expect(setEntry(source, 'web', web)).toBe(source)
    const changed = setEntry(source, 'web', { ...web, oauth: { clientId: 'b', scopes: ['x'] } } as ServerDefinition)
    expect(definitionOf(changed, 'web')).toEqual({ ...web, oauth: { clientId: 'b', scopes: ['x'] } })
    expect(changed).toContain('// from their page\n        "clientId": "b"')
    expect(changed).toMatch(/"theirs": \{\s*"kept": true\s*\}/)
    const { oauth: _, ...without } = web as Extract<ServerDefinition, { transport: 'streamable-http' | 'sse' }>
    const none = setEntry(changed, 'web', without)
    expect([definitionOf(none, 'web'), none.includes('"theirs"')]).toEqual([without, true])
    const fresh = setEntry('', 'web', { ...without, oauth: { clientId: 'a' } })
    expect(setEntry(fresh, 'web', without)).not.toContain('oauth')
  })

  it('adds a server to any text that a file may have', () => {
    const web = definitionOf(text, 'web')
    for (const before of ['', '{}', '{ "mcpServers": {} }', text, text.replaceAll('\n', '\r\n')])
      expect(definitionOf(setEntry(before, 'new one', web), 'new one')).toEqual(web)
  })

  it('turns a local server into a remote one without leaving anything behind', () => {
    const changed = setEntry(text, 'notes', { ...definitionOf(text, 'web'), headers: { A: 'b' } } as ServerDefinition)
    expect(definitionOf(changed, 'notes')).toMatchObject({ transport: 'streamable-http', headers: { A: 'b' } })
  })

  it('renames in place, and removes', () => {
    const renamed = renameEntry(text, 'notes', 'my "notes"')
    expect([...readConfig(renamed, 'f').definitions.keys()]).toEqual(['my "notes"', 'web'])
    expect(renamed).toContain('// pinned')
    expect([...readConfig(removeEntry(text, 'notes'), 'f').definitions.keys()]).toEqual(['web'])
  })
})

describe('masks', () => {
  it('hide what looks secret, and stand for the old value', () => {
    const notes = definitionOf(text, 'notes')
    const masked = maskDefinition(notes)
    expect(masked).toMatchObject({ env: { NOTES_TOKEN: secretMask, LANG: 'C' } })
    expect(unmaskDefinition('notes', masked, notes)).toEqual(notes)
  })

  it.each(['Authorization', 'X-Api-Key', 'GITHUB_TOKEN', 'client_secret', 'DB_PASSWORD', 'Cookie'])('hide %s', (name) => {
    const web = { ...definitionOf(text, 'web'), headers: { [name]: 'v' } } as ServerDefinition
    expect(maskDefinition(web)).toMatchObject({ headers: { [name]: secretMask } })
  })

  it('leave a reference to a variable readable', () => {
    const web = { ...definitionOf(text, 'web'), headers: { Authorization: 'Bearer $' + '{env:GH_TOKEN}' } } as ServerDefinition
    expect(maskDefinition(web)).toEqual(web)
  })

  it('are refused where there is no old value', () => {
    const masked = maskDefinition(definitionOf(text, 'notes'))
    expect(() => unmaskDefinition('notes', masked, undefined)).toThrow(expect.objectContaining({ code: 'config.invalid' }))
  })
})
