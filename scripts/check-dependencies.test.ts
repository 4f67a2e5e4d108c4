// Each kind of breach, planted: the check must name it, and nothing else of the same files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findBreaches, readImports } from './check-dependencies.ts'

let folder: string | undefined
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

/** `files`: what each imports, as a statement of its own. */
function breachesOf(files: Readonly<Record<string, string>>): readonly string[] {
  folder = mkdtempSync(join(tmpdir(), 'assent-dependencies-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${text}\n`)
  }
  return findBreaches(readImports(folder))
}

const type = (path: string): string => `import type { A } from '${path}'\nexport type B = A`

test.each([
  // Walls: a package, a path from the root, a relative one, a type, a re-export, a dynamic import, an address.
  ['app/chat/a.ts', "import 'node:fs'"],
  ['app/chat/a.ts', "import React from 'react'"],
  ['app/chat/a.ts', "import '#main/base/ids.ts'"],
  ['app/chat/a.ts', "import '../../main/base/ids.ts'"],
  ['app/chat/a.ts', type('#renderer/link.ts')],
  ['app/chat/a.ts', "export * from '../../main/base/ids.ts'"],
  ['renderer/features/chat/a.tsx', "export const later = import('#main/host.ts')"],
  ['renderer/features/chat/a.tsx', "import '../../../main/host.ts'"],
  ['renderer/features/chat/a.tsx', "import 'node:fs'"],
  ['renderer/features/chat/a.tsx', "import '@modelcontextprotocol/client'"],
  ['renderer/a.ts', "export const thread = new Worker(new URL('../main/thread.ts', import.meta.url))"],
  ['preload/preload.ts', "import '#main/host.ts'"],
  ['preload/preload.ts', "import 'zod'"],
  ['main/chat/a.ts', "import '#renderer/link.ts'"],
  ['main/requests/a.ts', "import 'electron'"],
  ['main/shell/web/a.ts', type('electron')],
  ['main/shell/cli/a.ts', "import '#main/shell/electron/main.ts'"],
  ['main/shell/electron/a.ts', "import '../web/web-shell.ts'"],
  ['main/chat/a.ts', "import '#main/store/store.testing.ts'"],
  // Floors: a file, a folder below it, a type.
  ['main/requests/a.ts', "import '#main/host/history.ts'"],
  ['main/requests/a.ts', "import '../host.ts'"],
  ['main/chat/a.ts', "import '#main/host/history.ts'"],
  ['main/chat/a.ts', type('#main/requests/request-handlers.ts')],
  ['main/install/a.ts', "import '../requests/request-handlers.ts'"],
  ['main/servers/lifecycle/a.ts', "import '#main/chat/chat.ts'"],
  ['main/consent/a.ts', type('#main/servers/lifecycle/servers.ts')],
  ['main/store/a.ts', "import '#main/consent/broker.ts'"],
  ['main/base/a.ts', "import '#main/store/store-api.ts'"],
  ['main/servers/client/a.ts', type('../lifecycle/supervisor.ts')],
  ['main/servers/process/a.ts', "import '../transport/stdio/stdio-transport.ts'"],
  ['main/servers/config/a.ts', "import '../process/process-tag.ts'"],
])('%s: %s is refused', (file, text) => {
  const breaches = breachesOf({ [file]: text })
  expect(breaches).toHaveLength(1)
  expect(breaches[0]).toMatch(new RegExp(`^${file} imports `))
})

test.each([
  ['two files', { 'app/a.ts': "import './b.ts'", 'app/b.ts': type('#app/a.ts') }, ['app/a.ts, app/b.ts import each other in a circle.']],
  [
    'three files, one of them lazily',
    { 'app/a.ts': "import './b.ts'", 'app/b.ts': "import './c.ts'", 'app/c.ts': "export const later = import('./a.ts')" },
    ['app/a.ts, app/b.ts, app/c.ts import each other in a circle.'],
  ],
  [
    'two folders whose files are in no circle',
    { 'app/one/a.ts': "import '../two/b.ts'", 'app/two/c.ts': type('../one/deep/d.ts'), 'app/two/b.ts': '', 'app/one/deep/d.ts': '' },
    ['The folders app/one, app/two import each other in a circle.'],
  ],
])('a circle of %s is refused', (_name, files, expected) => expect(breachesOf(files)).toEqual(expected))

test('what the rules allow is no breach', () => {
  expect(
    breachesOf({
      'app/chat/a.ts': "import '#app/json.ts'",
      'renderer/features/chat/a.tsx': "import React from 'react'\nimport '#app/json.ts'\nimport './b.ts'",
      'renderer/features/chat/a.test.tsx': "import '#main/host.ts'",
      'main/store/a.ts': "import '#main/base/ids.ts'\nimport 'node:fs'",
      'main/chat/a.ts': "import '#main/servers/lifecycle/servers.ts'",
      'main/servers/auth/a.ts': "import '../transport/idle-timeout.ts'",
      'main/shell/electron/a.ts': "import { app } from 'electron'\nimport '#main/host.ts'",
      'main/shell/web/a.ts': "import '#main/host.ts'",
    }),
  ).toEqual([])
})
