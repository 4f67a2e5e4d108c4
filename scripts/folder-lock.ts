// One process at a time, by a folder that holds its owner's name. A folder is taken by renaming a prepared one onto its
// place, which fails while an owner's name is in it; an owner that has died is taken out by name, so that whoever looked
// a moment too late never takes out the next one.
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const lookEveryMs = 100
let taken = 0

/** Waits for its turn. `onWait`: told once, with the process that has it. Resolves to its undo. */
export async function lockFolder(path: string, onWait: (pid: number) => void = () => {}): Promise<() => void> {
  taken += 1
  const owner = `${process.pid}.${taken}`
  const prepared = `${path}-${owner}`
  mkdirSync(join(prepared, owner), { recursive: true })
  let told = false
  try {
    while (!tryRename(prepared, path)) {
      const other = ownerOf(path)
      if (other === undefined) clear(path)
      else if (!isAlive(other)) release(path, other)
      else {
        if (!told) onWait(pidOf(other))
        told = true
        await wait(lookEveryMs)
      }
    }
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true })
    throw error
  }
  return () => release(path, owner)
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    // What systems say of a folder that is there and not empty; Windows says it of an empty one too.
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(codeOf(error))) return false
    throw error
  }
}

const pidOf = (owner: string): number => Number.parseInt(owner, 10)

function ownerOf(path: string): string | undefined {
  try {
    return readdirSync(path)[0]
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function release(path: string, owner: string): void {
  ignoring(['ENOENT'], () => rmdirSync(join(path, owner)))
  clear(path)
}

/** Goes only while nobody is in it. */
const clear = (path: string): void => ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(path))

function ignoring(codes: readonly string[], step: () => void): void {
  try {
    step()
  } catch (error) {
    // Somebody else was there first.
    if (!codes.includes(codeOf(error))) throw error
  }
}

function isAlive(owner: string): boolean {
  try {
    return process.kill(pidOf(owner), 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code)
