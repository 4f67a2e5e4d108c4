// How long frames take in a page while something is done there: the time between two of them, and the tasks that Chromium itself
// counts as long (over 50 ms). A browser that draws nothing else takes 16 to 17 ms a frame.
import type { Page } from '@playwright/test'

export interface Frames {
  readonly longestFrameMs: number
  readonly framesOver50Ms: number
  readonly longestTaskMs: number
  readonly frames: number
}

export async function framesWhile(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(`(() => {
    window.longTasks.length = 0
    const measured = { times: [], on: true }
    window.measured = measured
    const look = (time) => {
      measured.times.push(time)
      if (measured.on) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })()`)
  await work()
  const { times, tasks } = await page.evaluate<{ times: number[]; tasks: number[] }>(`new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => {
      window.measured.on = false
      resolve({ times: window.measured.times, tasks: window.longTasks })
    }))
  })`)
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  return {
    longestFrameMs: Math.round(Math.max(0, ...gaps)),
    framesOver50Ms: gaps.filter((gap) => gap > 50).length,
    longestTaskMs: Math.round(Math.max(0, ...tasks)),
    frames: gaps.length,
  }
}

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
