// Enough of an unpacked Electron for Linux to pack around, where the real one is not to be had: a program that does
// nothing, with the fuse wire that Electron's binary carries, every fuse set the wrong way round.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPackage } from '@electron/asar'
import { FuseState, FuseV1Options } from '@electron/fuses'
import { fuses } from './fuses.ts'

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseNumbers = Object.values(FuseV1Options).filter((value) => typeof value === 'number')

export async function makeElectronStub(folder: string, electronPackage: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8')) as { version: string }
  const wire = fuseNumbers.map((fuse) => (fuses[fuse] ? FuseState.DISABLE : FuseState.ENABLE))
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'locales'))
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '')
  writeFileSync(join(folder, 'version'), version)
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(`#!/bin/true\n${sentinel}`), Buffer.from([1, wire.length, ...wire])]))
  chmodSync(join(folder, 'electron'), 0o755)
  await createPackage(join(folder, 'empty'), join(folder, 'resources', 'default_app.asar'))
}
