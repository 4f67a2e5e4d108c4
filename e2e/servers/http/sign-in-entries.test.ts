// Whose a sign-in is: the entry's that somebody signed in to, not the address's.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { approve, eventually, http, makeServers, memoryAudit, memorySecrets } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach, serveResource, signal } from './sign-in-support.ts'

closeAfterEach()

/** What Assent kept before each entry had its own: tokens by issuer and resource, and where to look for them by the address alone. */
async function heldByUrlAlone(url: string) {
  const secrets = memorySecrets()
  const name = (kind: string, ...parts: readonly string[]): string =>
    `oauth/${kind}/${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`
  const issuer = 'https://as.example'
  const held = {
    issuer,
    server: issuer,
    grant: 'authorization-code',
    client: { client_id: 'c' },
    accessToken: 'old',
    obtainedAt: 1,
    scopes: [],
  }
  await secrets.set(name('server', url), JSON.stringify({ url, issuer }))
  await secrets.set(name('tokens', issuer, url), JSON.stringify(held))
  return secrets
}

describe('two entries with one address', () => {
  // zed-industries/zed#63564 and anthropics/claude-code#89172: a work and a personal account behind one URL; the second entry began
  // signed in as the first, and showed its data under the other name.
  it('are signed in each by itself, and neither with what the other holds', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    const entries = { work: http(resource.url), personal: http(resource.url) }
    const first = makeServers(entries, { secrets })
    for (const name of ['work', 'personal']) await first.start(name)
    expect(first.broker.signIns.map(({ server }) => server)).toEqual(['work', 'personal'])
    const own = resource.presented('tools/list').filter((one) => one !== undefined)
    expect(new Set(own).size).toBe(2)

    // The next run finds each one's.
    const later = makeServers(entries, { secrets })
    for (const name of ['work', 'personal']) {
      await later.start(name)
      await later.call(approve(later, name, 'echo'), { signal })
    }
    expect([resource.presented('tools/call'), later.broker.signIns]).toEqual([own, []])
    await later.signOut('personal')
    expect([later.view('work')?.signIn?.kind, later.view('personal')?.signIn?.kind]).toEqual(['signed-in', 'signed-out'])
    await later.call(approve(later, 'work', 'echo'), { signal })
    expect(resource.presented('tools/call').at(-1)).toBe(own[0])
  })

  it('begin signed out where only the other one is signed in', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    await makeServers({ work: http(resource.url) }, { secrets }).start('work')
    const later = makeServers({ work: http(resource.url), personal: http(resource.url) }, { secrets })
    await eventually(() => expect(later.view('work')?.signIn?.kind).toBe('signed-in'))
    await later.start('personal')
    expect(later.broker.signIns.map(({ server }) => server)).toEqual(['personal'])
  })

  it('keep what one of them was given before each had its own: who signed in last has it, and the other does not', async () => {
    const resource = await serveResource()
    const secrets = await heldByUrlAlone(resource.url)
    const audit = memoryAudit()
    for (const server of ['personal', 'work', 'elsewhere']) audit.append({ kind: 'sign-in', server, decision: 'signed-in' })
    audit.append({ kind: 'sign-in', server: 'personal', decision: 'failed' })
    const servers = makeServers({ personal: http(resource.url), work: http(resource.url) }, { secrets, audit })
    await eventually(() => expect(servers.view('work')?.signIn?.kind).toBe('signed-in'))
    expect(servers.view('personal')?.signIn).toBeUndefined()
  })

  it('have nothing of what nobody knows whose it is, and a single entry has it', async () => {
    const resource = await serveResource()
    const secrets = await heldByUrlAlone(resource.url)
    const two = makeServers({ personal: http(resource.url), work: http(`${resource.url}#top`) }, { secrets })
    for (const name of ['work', 'personal']) await two.start(name)
    expect([two.broker.signIns.length, JSON.stringify(resource.raw.seen).includes('Bearer old')]).toEqual([2, false])
    const one = makeServers({ any: http(resource.url) }, { secrets: await heldByUrlAlone(resource.url) })
    await eventually(() => expect(one.view('any')?.signIn?.kind).toBe('signed-in'))
  })
})

describe('a server that is', () => {
  it('taken out leaves nothing for another of its name, and has its sign-in again when that is undone', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    const servers = makeServers({ work: http(resource.url) }, { secrets })
    await servers.start('work')
    servers.configure(new Map())
    await eventually(() => expect([...secrets.values.keys()].filter((name) => !name.startsWith('oauth/client/'))).toEqual([]))
    servers.configure(new Map([['work', http(resource.url)]]))
    await servers.start('work')
    expect(servers.broker.signIns).toHaveLength(1)
  })

  it('renamed takes its sign-in along, and one of the old name begins without', async () => {
    const resource = await serveResource()
    const secrets = memorySecrets()
    const servers = makeServers({ work: http(resource.url) }, { secrets })
    await servers.start('work')
    await servers.moveSignIn('work', 'office')
    servers.configure(new Map([['office', http(resource.url)]]))
    await servers.start('office')
    expect(servers.broker.signIns).toHaveLength(1)
    servers.configure(new Map(['office', 'work'].map((name) => [name, http(resource.url)])))
    await servers.start('work')
    expect(servers.broker.signIns.map(({ server }) => server)).toEqual(['work', 'work'])
  })
})
