// `npm test`: everything, in order of how soon it can fail. Counts each test and closes with one line,
// `N passed, M failed, K skipped`. A step that could not be run counts as skipped and says why; a step whose runner died
// counts as failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { electronBinary } from './electron-binary.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
}

const node = process.execPath
const bin = (path: string): string => `node_modules/${path}`
const total: Count = { passed: 0, failed: 0, skipped: 0 }

function run(args: readonly string[], env: Record<string, string> = {}): boolean {
  return spawnSync(node, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

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

function step(name: string, args: readonly string[]): void {
  const started = Date.now()
  const ok = run(args)
  add(name, started, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
}

function vitest(name: string, projects: readonly string[]): void {
  const started = Date.now()
  const file = `test-results/${name}.json`
  const ok = run([
    bin('vitest/vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const report = readJson(file) as
    | { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTotalTests: number }
    | undefined
  const count = { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, skipped: report?.numPendingTests ?? 0 }
  if ((!ok && count.failed === 0) || count.passed === 0) count.failed += 1
  add(name, started, count)
}

function e2e(name: string, shell: 'web' | 'electron'): void {
  const started = Date.now()
  rmSync('test-results/e2e.json', { force: true })
  const ok = run(['scripts/e2e.ts', '--shell', shell])
  const report = readJson('test-results/e2e.json') as
    | { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }
    | undefined
  const stats = report?.stats
  const count = { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), skipped: stats?.skipped ?? 0 }
  if ((!ok && count.failed === 0) || count.passed === 0) count.failed += 1
  add(name, started, count)
}

function conformance(): void {
  const started = Date.now()
  const file = 'test-results/conformance.json'
  rmSync(file, { force: true })
  const ok = run(['e2e/conformance/run.ts'])
  const report = readJson(file) as { passed: number; failed: number } | undefined
  const count = { passed: report?.passed ?? 0, failed: report?.failed ?? 0, skipped: 0 }
  if ((!ok && count.failed === 0) || count.passed === 0) count.failed += 1
  add('conformance', started, count)
}

function faults(): void {
  const started = Date.now()
  const file = 'test-results/faults.json'
  rmSync(file, { force: true })
  const ok = run(['--expose-gc', 'e2e/faults/run.ts', '--quick', '--report', file])
  const report = readJson(file) as { passed: number; failed: number; skipped: number } | undefined
  const count = report ?? { passed: 0, failed: 0, skipped: 0 }
  if (!ok && count.failed === 0) count.failed += 1
  add('faults, the quick half', started, count)
}

function attacks(): void {
  const started = Date.now()
  const file = 'test-results/attacks.json'
  rmSync(file, { force: true })
  const ok = run(['e2e/attacks/run.ts', '--quick', '--report', file])
  const report = readJson(file) as { passed: number; failed: number } | undefined
  const count = { passed: report?.passed ?? 0, failed: report?.failed ?? 0, skipped: 0 }
  if (!ok && count.failed === 0) count.failed += 1
  add('attacks, a third of each family', started, count)
}

mkdirSync('test-results', { recursive: true })
const started = Date.now()
step('types, host', [bin('typescript/bin/tsc'), '-p', 'tsconfig.node.json'])
step('types, page', [bin('typescript/bin/tsc'), '-p', 'tsconfig.web.json'])
step('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'])
vitest('unit', ['unit', 'isolated', 'page'])
step('build', ['scripts/build-if-needed.ts', '--always'])
step('built chunks', ['scripts/check-chunks.ts'])
vitest('integration', ['integration'])
faults()
attacks()
conformance()
e2e('end to end, web shell', 'web')
if (electronBinary()) e2e('end to end, Electron', 'electron')
else {
  add('end to end, Electron', Date.now(), { passed: 0, failed: 0, skipped: 1 })
  process.stdout.write('Skipped: the specs over real Electron, since its binary is not here (`npx install-electron` fetches it).\n')
}
process.stdout.write(`\nAll of it in ${Math.round((Date.now() - started) / 1000)} s\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
