// `npm test`: in order of how soon it can fail. Counts each test and closes with one line, `N passed, M failed, K skipped`.
// `npm run test:full` (`--full`) adds what e2e/full-only.ts lists, and all of the matrix of consent and the attacks.
// A step that could not be run counts as skipped and says why; a step whose runner died counts as failed. Steps run beside each other,
// since each by itself leaves a processor idle a quarter of the time (docs/notes/test-time.md): the longest prints as it goes, the
// others whole once they have ended.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { electronBinary } from './electron-binary.ts'
import { installDebian } from './install-debian.ts'
import { makeMemoryFolder } from './memory-folder.ts'

interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What a runner wrote of what it ran; undefined: it wrote nothing. */
type Report = (ok: boolean) => Count | undefined

interface Step {
  readonly name: string
  readonly args: readonly string[]
  readonly report: Report
}

const node = process.execPath
const full = process.argv.includes('--full')
const bin = (path: string): string => `node_modules/${path}`
const total = { passed: 0, failed: 0, skipped: 0 }
/** Names of what failed: the last lines repeat them, since a log may keep only its end. */
const failures: string[] = []
/** Hundreds of processes read the same programs: each is compiled once. In a folder of our own, as decision 0021 wants it. */
const compiled = resolve('test-results/.compiled')
const memory = makeMemoryFolder()

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function add(name: string, started: number, count: Count): void {
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(
    `\n── ${name}: ${count.passed} passed, ${count.failed} failed${count.skipped ? `, ${count.skipped} skipped` : ''} (${seconds} s)\n\n`,
  )
}

/** `live`: it prints as it goes. */
async function run({ name, args, report }: Step, live = true): Promise<void> {
  const started = Date.now()
  const said: Buffer[] = []
  const child = spawn(node, args, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...(memory && { TMPDIR: memory }), ...(full ? {} : { ASSENT_TESTS: 'quick' }) },
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said.push(chunk)
      if (live) process.stdout.write(chunk)
    })
  const ok = await new Promise<boolean>((done) => child.once('error', () => done(false)).once('close', (code) => done(code === 0)))
  if (!live) process.stdout.write(Buffer.concat(said))
  const { passed, failed, skipped } = report(ok) ?? { passed: 0, failed: 0, skipped: 0 }
  // A runner that came to nothing, or died after what it had counted, has failed.
  const died = failed === 0 && (!ok || passed + skipped === 0)
  if (died) failures.push(name)
  const lines = Buffer.concat(said).toString().split('\n')
  failures.push(...lines.filter((line) => line.startsWith('FAILED  ')).map((line) => `${name}: ${line.slice('FAILED  '.length)}`))
  add(name, started, { passed, failed: failed + (died ? 1 : 0), skipped })
}

/** Runs steps one after the other. */
async function lane(steps: readonly Step[], live = false): Promise<void> {
  for (const step of steps) await run(step, live)
}

/** Its exit code is all that there is to count. */
const check = (name: string, ...args: string[]): Step => ({
  name,
  args,
  report: (ok) => (ok ? { passed: 1, failed: 0, skipped: 0 } : undefined),
})

/** Writes `file` as `{ passed, failed, skipped? }`. */
function counting(name: string, file: string, args: readonly string[]): Step {
  rmSync(file, { force: true })
  const report: Report = () => {
    const count = readJson(file) as { passed: number; failed: number; skipped?: number } | undefined
    return count && { skipped: 0, ...count }
  }
  return { name, args, report }
}

interface VitestResult {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

function vitest(name: string, ...projects: string[]): Step {
  const file = `test-results/${name}.json`
  rmSync(file, { force: true })
  const named = projects.flatMap((project) => ['--project', project])
  return {
    name,
    args: [bin('vitest/vitest.mjs'), 'run', ...named, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    report() {
      const count = readJson(file) as VitestResult | undefined
      for (const { name: path, assertionResults } of count?.testResults ?? [])
        for (const { status, fullName } of assertionResults)
          if (status === 'failed') failures.push(`${name}: ${relative('.', path)}: ${fullName}`)
      return count && { passed: count.numPassedTests, failed: count.numFailedTests, skipped: count.numPendingTests }
    },
  }
}

interface SpecSuite {
  readonly suites?: readonly SpecSuite[]
  readonly specs: readonly { readonly file: string; readonly title: string; readonly ok: boolean }[]
}

interface PlaywrightResult {
  readonly suites: readonly SpecSuite[]
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
}

function failedSpecs(suites: readonly SpecSuite[] = []): string[] {
  return suites.flatMap(({ suites: inner, specs }) => [
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
    ...failedSpecs(inner),
  ])
}

function e2e(name: string, shell: 'web' | 'electron'): Step {
  const file = 'test-results/e2e.json'
  rmSync(file, { force: true })
  return {
    name,
    args: ['scripts/e2e.ts', '--shell', shell],
    report() {
      const all = readJson(file) as PlaywrightResult | undefined
      failures.push(...failedSpecs(all?.suites).map((title) => `${name}: ${title}`))
      return all && { passed: all.stats.expected, failed: all.stats.unexpected + all.stats.flaky, skipped: all.stats.skipped }
    },
  }
}

/** `npm run types` keeps what it found out in the same file: what has not changed since, and stands on nothing that has, is not checked again. */
function tsc(half: 'host' | 'page'): string[] {
  const known = ['--incremental', '--tsBuildInfoFile', bin(`.cache/types-${half}.tsbuildinfo`)]
  return [bin('typescript/bin/tsc'), '--singleThreaded', ...known, '-p', half === 'host' ? 'tsconfig.node.json' : 'tsconfig.web.json']
}

mkdirSync('test-results', { recursive: true })
rmSync(compiled, { recursive: true, force: true })
const started = Date.now()
// Without them the rows of the sandbox are counted as skipped.
if (['bwrap', 'socat', 'python3'].some((name) => !existsSync(`/usr/bin/${name}`))) installDebian('bubblewrap', 'socat', 'python3')
const units = lane([vitest('unit', 'unit', 'isolated', 'page')], true)
const built = lane([
  check('build', 'scripts/build-if-needed.ts', '--always'),
  check('built chunks', 'scripts/check-chunks.ts'),
  check('types, host', ...tsc('host')),
])
const checks = lane([
  check('types, page', ...tsc('page')),
  check('lint', bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'),
  check('dependencies', 'scripts/check-dependencies.ts'),
  check('unused code', bin('knip/bin/knip.js'), '--no-progress'),
])
const faults = 'test-results/faults.json'
const attacks = 'test-results/attacks.json'
const onBuild = [
  counting('faults, the quick half', faults, ['--expose-gc', 'e2e/faults/run.ts', '--quick', '--report', faults]),
  counting('conformance', 'test-results/conformance.json', ['e2e/conformance/run.ts']),
  counting(full ? 'attacks' : 'attacks, a tenth of each family', attacks, [
    'e2e/attacks/run.ts',
    ...(full ? [] : ['--quick']),
    '--report',
    attacks,
  ]),
]
// They need the build alone, and take what the last unit tests leave idle.
const others = Promise.all([built, checks]).then(() => lane(onBuild))
await Promise.all([units, built, checks])
await Promise.all([lane([e2e('end to end, web shell', 'web')], true), lane([vitest('integration', 'integration')]), others])
if (electronBinary()) await run(e2e('end to end, Electron', 'electron'))
else {
  add('end to end, Electron', Date.now(), { passed: 0, failed: 0, skipped: 1 })
  process.stdout.write('Skipped: the specs over real Electron, since its binary is not here (`npx install-electron` fetches it).\n')
}
if (!full) process.stdout.write('Left to `npm run test:full`: what e2e/full-only.ts lists.\n')
for (const failure of failures) process.stdout.write(`Failed: ${failure}\n`)
process.stdout.write(`\nAll of it in ${Math.round((Date.now() - started) / 1000)} s\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
