// What a process has in memory: all that is resident, and its share of it (pages that others have too are divided among
// them). Linux alone tells; elsewhere both are not numbers.
import { readFileSync } from 'node:fs'

export interface Memory {
  readonly rssMb: number
  readonly pssMb: number
}

export function memoryOf(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
    return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss') }
  } catch {
    return { rssMb: Number.NaN, pssMb: Number.NaN }
  }
}
