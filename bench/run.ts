// `npm run bench [-- NAME …]`: prints one JSON value. Every figure is beside something measured in the same run, or beside
// what is promised; none is a gate.
import { cpus } from 'node:os'
import { benchChat } from './chat.ts'
import { benchFiftyServers } from './fifty-servers.ts'
import { benchFlood } from './flood.ts'
import { benchGate } from './gate.ts'
import { benchHostile } from './hostile.ts'
import { benchImport } from './import.ts'
import { benchLibrary } from './library.ts'
import { benchManyTools } from './many-tools.ts'
import { benchOneServer } from './one-server.ts'
import { benchPage } from './page.ts'
import { benchPaste } from './paste.ts'
import { benchPayload } from './payload.ts'
import { benchSandbox } from './sandbox.ts'
import { benchSearch } from './search.ts'
import { benchStalls } from './stalls.ts'
import { benchStart } from './start.ts'
import { benchToolsCall } from './tools-call.ts'
import { benchToolsPage } from './tools-page.ts'

const benches: Readonly<Record<string, () => Promise<object>>> = {
  'tools-call': benchToolsCall,
  'fifty-servers': benchFiftyServers,
  payload: benchPayload,
  flood: benchFlood,
  'many-tools': benchManyTools,
  page: benchPage,
  'one-server': benchOneServer,
  'tools-page': benchToolsPage,
  library: benchLibrary,
  sandbox: benchSandbox,
  search: benchSearch,
  import: benchImport,
  paste: benchPaste,
  start: benchStart,
  chat: benchChat,
  hostile: benchHostile,
  stalls: benchStalls,
  gate: benchGate,
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches)
const report: Record<string, unknown> = { node: process.version, platform: `${process.platform} ${process.arch}, ${cpus().length} cores` }
for (const name of wanted) {
  const bench = benches[name]
  if (!bench) throw new Error(`There is no benchmark “${name}”. There are: ${Object.keys(benches).join(', ')}.`)
  report[name] = await bench()
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
