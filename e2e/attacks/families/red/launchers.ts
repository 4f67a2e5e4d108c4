// Packages behind npm, pnpm, bun, uv, pipx and docker that are others than the card names, whatever launches them.
// Written from SECURITY.md alone, on the stage of the pinned packages.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import type { Attack } from '../../attack.ts'
import { firstCard, type PackageStage, tampered } from '../identity/package-stage.ts'

const family = 'pinned packages'
const evil = { mark: 'evil' }
const emptyCache = ({ home }: PackageStage): void => rmSync(join(home, '.npm'), { recursive: true, force: true })
/** Scripts that npm runs before or after it installs, which leave a mark. */
const scripted = (stage: PackageStage, when: string): Readonly<Record<string, string>> => ({ [when]: `echo evil >> ${stage.home}/ran` })
/** Row: a launcher’s form of words; a newer version comes. */
const form = (args: readonly string[], command: string, first?: (stage: PackageStage) => unknown): Attack =>
  tampered(family, `“${[command, ...args].join(' ')}” keeps to its card`, {
    entry: () => ({ command, args: [...args] }),
    first(stage) {
      first?.(stage)
      stand(stage, command)
    },
    tamper(stage) {
      stage.publish(stage.good, '9.9.9', evil)
      for (const tag of ['latest', 'beta']) stage.good.tag('9.9.9', tag)
      writeFileSync(join(stage.home, 'latest'), 'evil')
    },
    loose: true,
  })
const server =
  'require("readline").createInterface({input:process.stdin}).on("line",(l)=>{const {id,method}=JSON.parse(l);if(id===undefined)return;const result=method==="initialize"?{protocolVersion:"2025-06-18",capabilities:{tools:{}},serverInfo:{name:"n",version:"1"}}:method==="tools/list"?{tools:[]}:{};console.log(JSON.stringify({jsonrpc:"2.0",id,result}))})'
/** A launcher of which nothing is here: it runs the version that its words fix, else the latest. */
function stand(stage: PackageStage, command: string): void {
  writeFileSync(join(stage.home, 'latest'), '1.2.3')
  stage.program(
    command,
    `#!/bin/sh\ncase "$*" in *notes-mcp@1.2.3*|*notes-mcp==1.2.3*) mark=1.2.3;; *) mark=$(cat ${stage.home}/latest);; esac\necho $mark >> ${stage.home}/ran\nexec node -e '${server}'\n`,
  )
}
const digest = (letter: string): string => `sha256:${letter.repeat(64)}`
/** A docker whose image is another after the file says so. What reaches another daemon is told as the attacker’s. */
function dock(stage: PackageStage, command: string): void {
  writeFileSync(join(stage.home, 'image'), digest('a'))
  stage.program(
    command,
    `#!/bin/sh
now=$(cat ${stage.home}/image)
case "$* $DOCKER_HOST $DOCKER_CONTEXT" in *evil.example*) echo evil-daemon >> ${stage.home}/ran;; esac
case "$*" in *inspect*) echo "[\\"acme/notes-mcp@$now\\"]"; exit 0;; esac
case "$*" in *@${digest('a')}*) mark=1.2.3;; *) if [ "$now" = ${digest('a')} ]; then mark=1.2.3; else mark=evil; fi;; esac
echo $mark >> ${stage.home}/ran
exec node -e '${server}'
`,
  )
}
/** Row: an image that its tag no longer means. */
const image = (args: readonly string[], command = 'docker'): Attack =>
  tampered(family, `“${[command, ...args].join(' ')}” keeps to its card when the tag means another image`, {
    entry: () => ({ command, args: [...args] }),
    first: (stage) => dock(stage, command),
    tamper: (stage) => writeFileSync(join(stage.home, 'image'), digest('b')),
    version: digest('a'),
    loose: true,
  })
/** Row: before a yes nothing goes to another daemon. */
const daemon = (name: string, entry: JsonObject): Attack =>
  firstCard(family, name, { entry: () => entry, first: (stage) => dock(stage, 'docker'), says: 'unpinned' })

export const launchers: readonly Attack[] = [
  form(['dlx', 'notes-mcp@latest'], 'pnpm'),
  form(['dlx', 'notes-mcp@^1.0.0'], 'pnpm'),
  form(['dlx', 'notes-mcp@beta'], 'pnpm', ({ good }) => good.tag('1.2.3', 'beta')),
  form(['--silent', 'dlx', 'notes-mcp'], 'pnpm'),
  form(['notes-mcp@latest'], 'bunx'),
  form(['--bun', 'notes-mcp@>=1'], 'bunx'),
  form(['-p', 'notes-mcp', 'notes-mcp'], 'bunx'),
  form(['x', 'notes-mcp@beta'], 'bun', ({ good }) => good.tag('1.2.3', 'beta')),
  form(['dlx', '-p', 'notes-mcp', 'notes-mcp'], 'yarn'),
  form(['exec', '--package=notes-mcp', '--', 'notes-mcp'], 'npm'),
  image(['run', '-i', '--rm', 'acme/notes-mcp']),
  image(['run', '-i', '--rm', 'acme/notes-mcp:latest']),
  image(['run', '--pull=always', '-i', 'acme/notes-mcp']),
  image(['container', 'run', '-i', 'acme/notes-mcp']),
  image(['run', '-i', '-e', 'TOKEN', 'acme/notes-mcp:1']),
  image(['run', '-i', 'acme/notes-mcp'], 'podman'),
  daemon('docker of another computer is asked nothing before a yes', {
    command: 'docker',
    args: ['-H', 'tcp://evil.example', 'run', '-i', 'acme/notes-mcp'],
  }),
  daemon('docker of another context is asked nothing before a yes', {
    command: 'docker',
    args: ['--context', 'evil.example', 'run', '-i', 'acme/notes-mcp'],
  }),
  daemon('docker of another computer by a variable is asked nothing before a yes', {
    command: 'docker',
    args: ['run', '-i', 'acme/notes-mcp'],
    env: { DOCKER_HOST: 'tcp://evil.example' },
  }),
  ...['preinstall', 'install', 'postinstall'].map((when) =>
    tampered(family, `a script (${when}) of other bytes under the same version is not run`, {
      tamper(stage) {
        emptyCache(stage)
        stage.publish(stage.good, '1.2.3', { ...evil, scripts: scripted(stage, when) })
      },
    }),
  ),
  tampered(family, 'a script of a dependency that is served with other bytes is not run', {
    first(stage) {
      stage.publish(stage.good, '1.0.0', { name: 'notes-dep', mark: 'dep' })
      stage.publish(stage.good, '1.2.3', { dependencies: { 'notes-dep': '^1.0.0' } })
    },
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '1.0.0', { name: 'notes-dep', ...evil, scripts: scripted(stage, 'preinstall') })
    },
  }),
  tampered(family, 'a dependency’s newer version within its range is not run after the cache was emptied', {
    first(stage) {
      stage.publish(stage.good, '1.0.0', { name: 'notes-dep', mark: 'dep' })
      stage.publish(stage.good, '1.2.3', { dependencies: { 'notes-dep': '^1.0.0' } })
    },
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '1.9.0', { name: 'notes-dep', ...evil })
    },
    fresh: true,
  }),
  tampered(family, 'a version that was taken down is followed by no newer one', {
    tamper(stage) {
      emptyCache(stage)
      stage.publish(stage.good, '9.9.9', evil)
      stage.publish(stage.good, '1.2.3', { ...evil, dist: { integrity: undefined } })
      stage.good.tag('9.9.9')
    },
    fresh: true,
  }),
]
