// `npm run bench`: prints one JSON value. Every figure is beside something measured in the same run; none is a gate.
import { cpus } from 'node:os'
import { benchToolsCall } from './tools-call.ts'

const report = {
  node: process.version,
  platform: `${process.platform} ${process.arch}, ${cpus().length} cores`,
  toolsCall: await benchToolsCall(),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
