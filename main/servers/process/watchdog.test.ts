import { expect, it } from 'vitest'
import { powershell } from '#main/base/powershell.ts'
import { jobSource, windowsWatchdogScript, windowsWord } from './watchdog.ts'

it('has a script that can be passed on as it is, with the source of its type within', () => {
  expect(jobSource).not.toMatch(/['"$`]/)
  expect(powershell(windowsWatchdogScript, {}).args.at(-1)).toContain(jobSource)
  // Node quotes an argument by doubling what stands before a quotation mark; there is nothing to double.
  expect(windowsWatchdogScript).not.toMatch(/["\\]/)
  expect(windowsWatchdogScript.length).toBeLessThan(32_000)
})

it('is told of a process by its number and the latest time at which it can have begun', () => {
  expect(windowsWord(4321, 1_732_649_856_789)).toBe('4321@133771234567890000')
})
