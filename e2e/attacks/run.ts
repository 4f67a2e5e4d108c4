// `npm run attacks [-- --only WORD --quick --jobs N --report FILE]`: a model that always obeys the attacker, and servers that lie, in whole
// hosts with real processes and sockets. A row an attack; a row passes when nothing happened outside that the person had
// not allowed, and the same thing did happen once they allowed it. Closes with `N passed, M failed`.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Attack } from './attack.ts'
import { families } from './families.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '3' },
    report: { type: 'string' },
  },
})
const ofFamily = new Map<string, number>()
/** The first of each family, and of those that follow every tenth. */
function isOfTheQuick({ family, long }: Attack): boolean {
  if (long) return false
  const index = ofFamily.get(family) ?? 0
  ofFamily.set(family, index + 1)
  return index % 10 === 0
}
const attacks = families.filter(
  (attack) => `${attack.family}: ${attack.name}`.includes(values.only) && (!values.quick || isOfTheQuick(attack)),
)
const queue: Attack[] = [...attacks]
let passed = 0
let failed = 0
let skipped = 0

async function work(): Promise<void> {
  for (let attack = queue.shift(); attack !== undefined; attack = queue.shift()) {
    if (attack.skip !== undefined) {
      skipped += 1
      process.stdout.write(`skipped ${attack.family}: ${attack.name}\n        ${attack.skip}\n`)
      continue
    }
    const wrong = await attack.run().catch((error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)])
    if (wrong.length === 0) passed += 1
    else failed += 1
    const words = wrong.map((word) => `        ${word.replaceAll('\n', '\n        ')}\n`).join('')
    process.stdout.write(`${wrong.length === 0 ? 'passed' : 'FAILED'}  ${attack.family}: ${attack.name}\n${words}`)
  }
}
if (process.platform === 'linux') await Promise.all(Array.from({ length: Number(values.jobs) }, work))
else {
  skipped = attacks.length
  process.stdout.write('Programs of the attackers are those of Linux: nothing was run here.\n')
}
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ passed, failed, skipped }))
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(failed === 0 && passed + skipped > 0 ? 0 : 1)
