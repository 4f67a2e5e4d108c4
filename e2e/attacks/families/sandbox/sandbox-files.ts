// Files: secrets, the data folder, what other programs run, and links that change meanwhile.
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow, ofRoot } from './escapes.ts'
import { put, type Scene, secret, textOf } from './scene.ts'

const saidSecret = (said: string): boolean => said.includes(secret)

const reads = (name: string, code: string, more: Partial<Escape> = {}): Attack =>
  escapeRow({ name: `${name} is not read`, code, escaped: saidSecret, ...more })

const inHome = (path: string): string => `read(scene.home + '/${path}')`
/** The home folder is granted: secrets in it are not. */
const wholeHome = { grants: (scene: Scene) => ({ read: [scene.home] }) }

// biome-ignore format: a list reads better in rows
const secretsOfHome = [
  '.ssh/id_ed25519', '.gnupg/key', '.aws/credentials', '.config/gcloud/token', '.kube/config', '.docker/config.json',
  '.netrc', '.git-credentials', '.npmrc', '.mozilla/firefox/logins.json', '.config/google-chrome/Cookies',
  '.bash_history', '.local/share/keyrings/login.keyring', '.local/share/assent/assent.db',
  '.local/share/assent/sandbox/other-0123456789ab/home/token',
]

/** A write that happens inside: only what changes outside counts. */
const writes = (name: string, code: string, changed: (scene: Scene) => string, more: Partial<Escape> = {}): Attack =>
  escapeRow({ name: `${name} is not written`, code, escaped: (_, scene) => textOf(changed(scene)).includes('ESCAPED'), ...more })

const at = (path: string) => (scene: Scene) => join(scene.home, path)

// biome-ignore format: a list reads better in rows
const startFiles = [
  '.bashrc', '.profile', '.zshenv', '.config/autostart/a.desktop', '.config/systemd/user/a.service', '.gitconfig',
  '.local/bin/git', '.ssh/authorized_keys', 'Library/LaunchAgents/a.plist',
]

export const sandboxFiles: readonly Attack[] = [
  reads('a file of the home folder', inHome('private/note.txt')),
  reads('a file of another folder of the computer', `read(scene.elsewhere + '/id_ed25519')`),
  ...secretsOfHome.slice(0, 4).map((path) => reads(`~/${path}`, inHome(path))),
  ...secretsOfHome.map((path) => reads(`~/${path}, though the home folder is granted,`, inHome(path), wholeHome)),
  reads('a secret that is made after the start in a granted home folder', `after(() => read(scene.home + '/.azure/token'))`, {
    ...wholeHome,
    meanwhile: (scene) => put(join(scene.home, '.azure/token')),
  }),
  reads('the data folder by a path with dots', `read(scene.w + '/../.local/share/assent/assent.db')`),
  reads(
    'a secret by a link that the server makes in its folder',
    `fs.symlinkSync(scene.home + '/.ssh/id_ed25519', scene.w + '/l'); read(scene.w + '/l')`,
  ),
  reads('a secret by a hard link', `tell(() => fs.linkSync(scene.home + '/.ssh/id_ed25519', scene.w + '/h')); read(scene.w + '/h')`),
  reads('a secret by a link that another put in a granted folder', `after(() => read(scene.r + '/l'))`, {
    meanwhile: (scene) => symlinkSync(join(scene.home, '.ssh/id_ed25519'), join(scene.r, 'l')),
  }),
  reads('a folder that is swapped for a link while the server runs', `after(() => read(scene.r + '/inner/id_ed25519'))`, {
    meanwhile(scene) {
      renameSync(join(scene.r, 'inner'), join(scene.r, 'before'))
      symlinkSync(join(scene.home, '.ssh'), join(scene.r, 'inner'))
    },
  }),
  reads('a granted folder that is itself swapped for a link while the server runs', `after(() => read(scene.r + '/id_ed25519'))`, {
    meanwhile(scene) {
      renameSync(scene.r, `${scene.r}-before`)
      symlinkSync(join(scene.home, '.ssh'), scene.r)
    },
  }),
  reads(
    'a secret to which a link of the server’s own home folder leads at its next start',
    `
    const own = scene.home + '/r'; tell(() => { fs.mkdirSync(scene.home, { recursive: true }); fs.symlinkSync(scene.home + '/.ssh', scene.home + '/link') }); read(scene.home + '/link/id_ed25519')`,
  ),
  reads('the host’s folder for temporary files', `read(scene.socket.replace('daemon.sock', 'elsewhere/id_ed25519'))`),
  ...ofRoot(reads('the password file of the system', `tell(() => fs.readFileSync('/etc/shadow', 'utf8').length > 0 ? '${secret}' : '')`)),
  reads('the disk itself', `tell(() => fs.readdirSync('/dev').some((n) => /^(vd|sd|nvme|xvd|dm-|loop)/.test(n)) ? '${secret}' : 'none')`),
  reads('/sys', `tell(() => fs.readdirSync('/sys/class').length > 0 ? '${secret}' : '')`),
  ...startFiles.map((path) => writes(`~/${path}`, `write(scene.home + '/${path}')`, at(path))),
  writes('a folder that may only be read', `write(scene.r + '/new.txt')`, at('r/new.txt')),
  writes('a file that may only be read', `write(scene.r + '/inner/id_ed25519')`, at('r/inner/id_ed25519')),
  writes('servers.json', `write(scene.dataDir + '/servers.json')`, at('.local/share/assent/servers.json')),
  writes('the folder for temporary files', `write(path.dirname(scene.elsewhere) + '/planted')`, (scene) => join(scene.home, '../planted')),
  writes(
    'a start file by a link in a granted folder',
    `fs.symlinkSync(scene.home + '/.profile', scene.w + '/p'); write(scene.w + '/p')`,
    at('.profile'),
  ),
  writes('/dev/shm of the computer', `write('/dev/shm/assent-escape-' + scene.port)`, (scene) => `/dev/shm/assent-escape-${scene.port}`),
  writes('a git hook', `write(scene.w + '/.git/hooks/pre-commit')`, at('w/.git/hooks/pre-commit')),
  writes('the config of a repository', `write(scene.w + '/.git/config')`, at('w/.git/config')),
  writes(
    'a git hook of a repository further down',
    `write(scene.w + '/sub/repo/.git/hooks/pre-commit')`,
    at('w/sub/repo/.git/hooks/pre-commit'),
  ),
  writes(
    'a hook after .git was moved away',
    `tell(() => fs.renameSync(scene.w + '/.git', scene.w + '/g2')); write(scene.w + '/.git/hooks/pre-commit')`,
    at('w/.git/hooks/pre-commit'),
  ),
  writes(
    'a hook after the repository was moved away',
    `tell(() => fs.renameSync(scene.w + '/sub', scene.w + '/s2')); write(scene.w + '/sub/repo/.git/hooks/pre-commit')`,
    at('w/sub/repo/.git/hooks/pre-commit'),
  ),
  writes(
    'a hook after the hooks were removed',
    `tell(() => fs.rmSync(scene.w + '/.git/hooks', { recursive: true })); write(scene.w + '/.git/hooks/post-checkout')`,
    at('w/.git/hooks/post-checkout'),
  ),
  writes(
    'a hook of a repository that is not there yet',
    `write(scene.w + '/plain/.git/hooks/pre-commit')`,
    at('w/plain/.git/hooks/pre-commit'),
    {
      grants: (scene) => ({ write: [join(scene.w, 'plain')] }),
    },
  ),
  writes('the tasks of an editor', `write(scene.w + '/.vscode/tasks.json')`, at('w/.vscode/tasks.json')),
  writes('a denied path within a granted folder', `write(scene.w + '/keep/x')`, at('w/keep/x'), {
    grants: (scene) => ({ write: [scene.w], denyWrite: [join(scene.w, 'keep')] }),
  }),
  reads('a denied file within a granted folder', `read(scene.r + '/secret.txt')`, {
    grants(scene) {
      put(join(scene.r, 'secret.txt'))
      return { read: [scene.r], denyRead: [join(scene.r, 'secret.txt')] }
    },
    granted(scene) {
      put(join(scene.r, 'secret.txt'))
      return { read: [scene.r] }
    },
  }),
  reads('a granted folder that was a link when it was allowed, and leads elsewhere now,', `read(scene.home + '/granted/id_ed25519')`, {
    grants(scene) {
      symlinkSync(join(scene.home, '.local/share/assent'), join(scene.home, 'granted'))
      put(join(scene.dataDir, 'id_ed25519'))
      return { read: [join(scene.home, 'granted')] }
    },
    granted(scene) {
      symlinkSync(scene.elsewhere, join(scene.home, 'granted'))
      return { read: [scene.elsewhere, join(scene.home, 'granted')] }
    },
    code: `read(scene.home + '/granted/id_ed25519'); read(scene.elsewhere + '/id_ed25519')`,
  }),
]
