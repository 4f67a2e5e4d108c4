// Signing in on the command line: nobody sits at a terminal here, so the address is told on stderr and waited for.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RawResource, rawResource } from '../../../e2e/servers/http/oauth.ts'
import { type CliBench, makeCliBench, onlyJson } from './cli.testing.ts'

let bench: CliBench
let tracker: RawResource
beforeEach(async () => {
  bench = makeCliBench()
  tracker = await rawResource()
})
afterEach(async () => {
  await bench.remove()
  await tracker.close()
})

const call = (config: string, approve: string): string[] => [
  'call',
  'tracker',
  'echo',
  '{}',
  '--config',
  config,
  '--approve',
  approve,
  '--json',
]

/** The browser of whoever reads stderr: goes to the page as soon as it is told, and where it leads. */
async function runAndBrowse(args: readonly string[]) {
  const child = bench.start(args)
  let stdout = ''
  let stderr = ''
  let visit: Promise<Response> | undefined
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    const told = /Open this page: (\S+)\n/.exec(stderr)?.[1]
    if (told !== undefined) visit ??= fetch(told)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr, page: await (await visit)?.text() }
}

it('with --approve all a server of a named file is signed in to, in the browser of whoever opens the page', async () => {
  const run = await runAndBrowse(call(bench.config({ tracker: { url: tracker.url } }), 'all'))
  expect([run.code, onlyJson(run)]).toMatchObject([0, { server: 'tracker', result: { content: [{ text: 'echo ran' }] } }])
  expect(tracker.issuer.at('/authorize').length).toBe(1)
  const token = tracker.presented('tools/call')[0]?.replace('Bearer ', '') ?? ''
  expect([token === '', `${run.stdout}${run.stderr}${run.page}`.includes(token)]).toEqual([false, false])
})

it('with --approve none nobody is sent anywhere, and it exits 3', async () => {
  const run = await bench.run(call(bench.config({ tracker: { url: tracker.url } }), 'none'))
  expect([run.code, tracker.issuer.asked.length, /https?:/.test(run.stdout)]).toEqual([3, 0, false])
})

it('what the issuer refuses ends the command with its reason', async () => {
  tracker.issuer.behave.person = 'refuses'
  const run = await runAndBrowse(call(bench.config({ tracker: { url: tracker.url } }), 'all'))
  expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'server.sign-in-failed', data: { reason: 'access_denied' } } }])
})
