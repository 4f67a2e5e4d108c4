// Each process that we start carries a random tag in its environment, and so does whatever it starts in turn. By it we know
// our own again: those that have left their process group, and those that an earlier run of Assent left behind.
import { randomBytes } from 'node:crypto'

export const tagVariable = 'ASSENT_PROCESS_TAG'

/** 128 bits in hex: nobody has the same by chance. */
export const newTag = (): string => randomBytes(16).toString('hex')

export const isTag = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Told of each process that we start: before it is there, once it is, and when nothing of it is left. */
export interface ProcessWatch {
  /** A process with this tag is about to be started. */
  expect(tag: string): WatchedProcess
}

export interface WatchedProcess {
  /** It runs, and leads the group of the same number. */
  started(pid: number): void
  /** It was not started after all, or nothing of it is left. */
  ended(): void
}
