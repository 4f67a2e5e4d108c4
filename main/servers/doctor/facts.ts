// What can be seen of the files that a start named, without running anything: looked at only once it has failed.
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { StartTrace } from '#app/server/doctor.ts'
import { nearest } from '#main/base/nearest.ts'
import type { Facts, ProgramKind } from './case.ts'

export function lookAround(definition: ServerDefinition, trace: StartTrace, platform: NodeJS.Platform = process.platform): Facts {
  const facts = { platform, arch: process.arch }
  if (definition.transport !== 'stdio') return facts
  return {
    ...facts,
    program: trace.resolved === null ? undefined : programKind(head(trace.resolved)),
    nearFile: trace.cwd === null ? undefined : nearFile(trace.cwd, definition.args),
  }
}

const headBytes = 256

function head(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, headBytes, 0))
  } catch {
    return undefined // Not there, or not for us to read.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The numbers of ELF, Mach-O and PE for the kinds of processors that Node runs on. */
const elfMachines: Readonly<Record<number, string>> = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64', 243: 'riscv64' }
const machMachines: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' }

/** What a file is, by its first bytes; undefined: there are none. */
export function programKind(bytes: Buffer | undefined): ProgramKind | undefined {
  if (bytes === undefined || bytes.length < 2) return undefined
  if (bytes.length >= 20 && bytes.readUInt32BE(0) === 0x7f454c46)
    return { kind: 'binary', system: 'linux', arch: elfMachines[bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18)] }
  if (bytes.length >= 8 && (bytes.readUInt32LE(0) === 0xfeedfacf || bytes.readUInt32LE(0) === 0xfeedface))
    return { kind: 'binary', system: 'darwin', arch: machMachines[bytes.readUInt32LE(4)] }
  // For several kinds at once. (A Java class begins alike, but is not run by itself.)
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xcafebabe) return { kind: 'binary', system: 'darwin', arch: undefined }
  if (bytes.toString('latin1', 0, 2) === 'MZ') return { kind: 'binary', system: 'win32', arch: undefined }
  const [, interpreter] = /^#![ \t]*(?:\S*\/env[ \t]+(?:-S[ \t]+)?)?(\S+)/.exec(bytes.toString('utf8')) ?? []
  return interpreter === undefined ? { kind: 'other' } : { kind: 'script', interpreter }
}

/** Like an argument that names a file which is not there. */
function nearFile(cwd: string, args: readonly string[]): string | undefined {
  const path = args.find((arg) => !arg.startsWith('-') && /[\\/.]/.test(arg))
  if (path === undefined) return undefined
  const whole = resolve(cwd, path)
  if (existsSync(whole)) return undefined
  try {
    const like = nearest(basename(whole), readdirSync(dirname(whole)))
    return like === undefined ? undefined : join(dirname(path), like)
  } catch {
    return undefined // Its folder is not there either.
  }
}
