// How long a page's main thread is busy at a stretch while something is done there: Chromium's own trace of its tasks, in time on
// the processor, so that what else the machine does is left out; and the same by the clock.
import type { Browser, Page } from '@playwright/test'

export interface Tasks {
  /** Of one task, on the processor and by the clock. */
  readonly longestMs: number
  readonly longestByClockMs: number
  readonly over50Ms: number
  readonly tasks: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export async function tasksWhile(browser: Browser, page: Page, work: () => Promise<void>): Promise<Tasks> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const mains = new Set(traceEvents.filter((one) => one.name === 'thread_name' && one.args?.name === 'CrRendererMain').map(placeOf))
  const tasks = traceEvents.filter((one) => one.ph === 'X' && one.name === 'RunTask' && mains.has(placeOf(one)))
  const times = tasks.map(({ tdur, dur = 0 }) => (tdur ?? dur) / 1000)
  return {
    longestMs: Math.round(Math.max(0, ...times)),
    longestByClockMs: Math.round(Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000))),
    over50Ms: times.filter((ms) => ms > 50).length,
    tasks: tasks.length,
  }
}

const placeOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`

/** From its top to its end and back, a hundredth of it a frame. */
export const scrollThrough = (page: Page, selector: string): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector(${JSON.stringify(selector)})
    const end = box.scrollHeight - box.clientHeight
    let step = 0
    const go = () => {
      step += 1
      box.scrollTop = end * (step <= 100 ? step : 200 - step) / 100
      if (step < 200) requestAnimationFrame(go)
      else resolve()
    }
    go()
  })`)
