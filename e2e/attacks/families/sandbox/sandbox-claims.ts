// What a server can make of the list of blocked attempts: flood it, write in it, or have something offered that it should not have. A real
// program in a real sandbox says so; each control shows that the same way lists what was really refused.
import { join } from 'node:path'
import type { ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { type Attack, unless } from '../../attack.ts'
import { listed, onScene, put, type Run, type Scene } from './scene.ts'

interface Claim extends Run {
  readonly name: string
  readonly holds: (attempts: readonly ListedAttempt[], scene: Scene) => boolean
  readonly control: Run & Pick<Claim, 'holds'>
}

const family = 'sandbox'
const missing = (await findEngine()).kind === 'bubblewrap' ? undefined : 'this computer has no bubblewrap, or does not let it work'
const shown = (attempts: readonly ListedAttempt[]): string => JSON.stringify(attempts.slice(0, 5)).slice(0, 500)

const claim = (one: Claim): Attack => ({
  family,
  name: one.name,
  ...(missing === undefined ? {} : { skip: missing }),
  run: () =>
    onScene(async (scene) => {
      const attempts = await listed(one, scene)
      const really = await listed(one.control, scene)
      return [
        ...unless(one.holds(attempts, scene), `it is shown more than is so: ${shown(attempts)}`),
        ...unless(one.control.holds(really, scene), `control: nothing is shown: ${shown(really)}`),
      ]
    }),
})

const missed = (path: string): string => `say("ENOENT: no such file or directory, open '" + ${path} + "'")`
const one = (target: (scene: Scene) => string, allowance: ListedAttempt['allowance'], kind: ListedAttempt['kind'] = 'read') => ({
  holds: (attempts: readonly ListedAttempt[], scene: Scene): boolean =>
    attempts.length === 1 && attempts[0]?.kind === kind && attempts[0].target === target(scene) && attempts[0].allowance === allowance,
})
const none = { holds: (attempts: readonly ListedAttempt[]): boolean => attempts.length === 0 }
/** An ordinary file that nothing grants, which is listed and may be allowed by a click. */
const ordinary = { code: missed(`scene.home + '/private/note.txt'`), ...one(({ home }) => `${home}/private/note.txt`, 'click') }
const connect = (host: string): string => `raw('CONNECT ' + ${host} + ':443 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')`

export const sandboxClaims: readonly Attack[] = [
  claim({
    name: 'a flood of hosts hides neither the first nor the last, and is bounded',
    code: `
      let n = 0
      const next = () => { if (n >= 400) return; const s = net.connect(proxyPort, '127.0.0.1'); s.on('close', next); s.on('error', () => {}); s.on('data', () => s.end()); s.write('CONNECT h' + n++ + '.example:443 HTTP/1.1\\r\\n\\r\\n') }
      next()`,
    holds: (attempts) => {
      const targets = attempts.map(({ target }) => target)
      return targets.length === 200 && targets.includes('h0.example') && targets[0] === 'h399.example'
    },
    control: { code: connect(`'h0.example'`), ...one(() => 'h0.example', 'click', 'host') },
  }),
  claim({
    name: 'a flood of paths that are not there lists nothing',
    code: `for (let n = 0; n < 20000; n += 1) ${missed(`scene.home + '/none/' + n`)}`,
    ...none,
    control: ordinary,
  }),
  claim({
    name: 'a host with terminal codes and markup is shown without them, and cannot be allowed',
    code: `raw('CONNECT <b>api\\u001b[31m\\u202e.example:443 HTTP/1.1\\r\\n\\r\\n'); raw('CONNECT api.example\\u0000.evil:443 HTTP/1.1\\r\\n\\r\\n')`,
    holds: (attempts) => attempts.length > 0 && attempts.every(({ target, allowance }) => !/\p{C}/u.test(target) && allowance === 'never'),
    control: { code: connect(`'api.example'`), ...one(() => 'api.example', 'click', 'host') },
  }),
  claim({
    name: 'a file whose name hides characters is not shown',
    code: `after(() => ${missed(`scene.home + '/private/\\u202etxt.eton'`)})`,
    meanwhile: ({ home }) => put(join(home, 'private/\u202etxt.eton')),
    ...none,
    control: { ...ordinary, code: `after(() => ${ordinary.code})` },
  }),
  claim({
    name: 'a key that an error names is not allowed by a click',
    code: missed(`scene.home + '/.ssh/id_ed25519'`),
    ...one(({ home }) => `${home}/.ssh/id_ed25519`, 'review'),
    control: ordinary,
  }),
  claim({
    name: 'a key that an error names to be written is never allowed',
    code: `say("EROFS: read-only file system, open '" + scene.home + "/.ssh/id_ed25519'")`,
    ...one(({ home }) => `${home}/.ssh`, 'never', 'write'),
    control: {
      code: `say("EROFS: read-only file system, open '" + scene.home + "/private/note.txt'")`,
      ...one(({ home }) => `${home}/private`, 'click', 'write'),
    },
  }),
  claim({
    name: 'a keyring and the data folder that errors name are never allowed',
    code: `${missed(`scene.home + '/.local/share/keyrings/login.keyring'`)}; ${missed(`scene.dataDir + '/assent.db'`)}`,
    holds: (attempts) => attempts.length === 2 && attempts.every(({ allowance }) => allowance === 'never'),
    control: ordinary,
  }),
  claim({ name: 'a file that is nowhere is no block', code: missed(`scene.home + '/private/none.txt'`), ...none, control: ordinary }),
  claim({ name: 'a file that it may read is no block', code: missed(`scene.r + '/inner/id_ed25519'`), ...none, control: ordinary }),
  claim({
    name: 'a file that is named without an error is no block',
    code: `say('allow ' + scene.home + '/private/note.txt')`,
    ...none,
    control: ordinary,
  }),
  claim({
    name: 'a link of its own to a key does not bring the key to the list under another name',
    code: `fs.symlinkSync(scene.home + '/.ssh/id_ed25519', scene.w + '/notes.txt'); ${missed(`scene.w + '/notes.txt'`)}`,
    ...one(({ home }) => `${home}/.ssh/id_ed25519`, 'review'),
    control: ordinary,
  }),
  claim({
    name: 'this computer and its network are never allowed by a click, by whatever name',
    code: ['localhost', '127.0.0.1', 'a.localhost', '169.254.169.254', '[::1]', '10.0.0.1'].map((host) => connect(`'${host}'`)).join(';'),
    holds: (attempts) => attempts.length === 6 && attempts.every(({ allowance }) => allowance === 'never'),
    control: { code: connect(`'api.example'`), ...one(() => 'api.example', 'click', 'host') },
  }),
]
