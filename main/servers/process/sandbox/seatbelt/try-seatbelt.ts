// Tries Seatbelt before it is relied on: a shell in a profile of ours must be able to do what is allowed, and nothing else. So a profile
// that this macOS reads in another way, too tight or too loose, is never used in silence.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { seatbeltProfile, systemMounts } from './seatbelt-profile.ts'

const tryMs = 5000

/**
 * Prints the name of each attempt that succeeds. bash of macOS is of version 3.2. Arguments: the folder, the proxy's port, another one that
 * listens.
 */
const script = `
cd "$1/granted" || exit 1
can() { if ( eval "$2" ) >/dev/null 2>&1; then printf '%s ' "$1"; fi; }
reads() { [ "$(/bin/cat "$1")" = "S3CRET" ]; }
can read 'reads file'
can write 'echo x >written'
can proxy 'exec 3<>/dev/tcp/127.0.0.1/'"$2"
can read-beside 'reads ../beside/file'
can read-by-volume 'reads "/System/Volumes/Data$PWD/../beside/file"'
can list-beside '[ -n "$(/bin/ls ../beside)" ]'
can write-beside 'echo x >../beside/new'
can read-hidden 'reads in/hidden/file'
can write-kept 'echo x >in/kept/file'
can link '/bin/ln ../beside/file linked'
can move '/bin/mv in moved'
can other-port 'exec 3<>/dev/tcp/127.0.0.1/'"$3"
`

/** Attempts that must succeed; nothing else may. */
export const allowedAttempts = 'read write proxy'

const listen = (): Promise<{ readonly server: Server; readonly port: number }> =>
  new Promise((resolve, reject) => {
    const server = createServer((client) => client.destroy())
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as { port: number }).port }))
  })

/** Names of the attempts that succeeded in a sandbox. @throws {Error} when none was started */
export async function trySeatbelt(sandboxExec: string): Promise<string> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'assent-seatbelt-')))
  const [proxy, other] = [await listen(), await listen()]
  try {
    const at = (path: string): string => join(root, path)
    for (const folder of ['granted', 'beside', 'granted/in', 'granted/in/hidden', 'granted/in/kept']) {
      mkdirSync(at(folder))
      writeFileSync(at(`${folder}/file`), 'S3CRET')
    }
    const profile = seatbeltProfile({
      mounts: [
        ...systemMounts,
        { kind: 'write', path: at('granted') },
        { kind: 'write', path: at('granted/in') },
        { kind: 'hide-folder', path: at('granted/in/hidden') },
        { kind: 'keep', path: at('granted/in/kept') },
      ],
      own: [],
      proxyPort: proxy.port,
    })
    writeFileSync(at('profile.sb'), profile, { mode: 0o600 })
    const args = ['-f', at('profile.sb'), '/bin/bash', '-c', script, 'bash', root, String(proxy.port), String(other.port)]
    return (await promisify(execFile)(sandboxExec, args, { timeout: tryMs, env: {} })).stdout.trim()
  } finally {
    for (const { server } of [proxy, other]) server.close()
    rmSync(root, { recursive: true, force: true })
  }
}
