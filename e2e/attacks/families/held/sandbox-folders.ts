// Ways out of the sandbox by folders: grants around what is kept, links that a server lays for its next start, what lies in the folder
// that it may write and other programs obey, and other servers' things.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow, ofRoot } from '../sandbox/escapes.ts'
import { put, type Scene, secret, textOf } from '../sandbox/scene.ts'

const got = (said: string): boolean => said.includes(secret)
const reads = (name: string, code: string, more: Partial<Escape> = {}): Attack =>
  escapeRow({ name: `folders: ${name} is not read`, code, escaped: got, ...more })
const writes = (name: string, path: string, more: Partial<Escape> = {}): Attack =>
  escapeRow({
    name: `folders: ${name} is not written`,
    code: `write(scene.home + '/${path}')`,
    escaped: (_, { home }) => textOf(join(home, path)).includes('ESCAPED'),
    ...more,
  })
const read = (...paths: readonly string[]) => ({ grants: ({ home }: Scene) => ({ read: paths.map((path) => join(home, path)) }) })
const raw = (...paths: readonly string[]) => ({ grants: ({ home }: Scene) => ({ read: paths.map((path) => `${home}/${path}`) }) })
const write = (...paths: readonly string[]) => ({ grants: ({ home }: Scene) => ({ write: paths.map((path) => join(home, path)) }) })
const system = (access: 'read' | 'write', path: string) => ({ grants: () => ({ [access]: [path] }) })
const data = `read(scene.dataDir + '/assent.db')`

/** A file laid in a folder of the computer, which goes again. */
const laid = (folder: string): Attack =>
  reads(`a file in ${folder}`, `after(() => read('${folder}/assent-escape-' + scene.port))`, {
    meanwhile: ({ port }) => put(`${folder}/assent-escape-${port}`),
    escaped(said, { port }) {
      rmSync(`${folder}/assent-escape-${port}`, { force: true })
      return got(said)
    },
  })

/** A unix socket that listens in a granted folder before the server starts. */
const socketIn = (name: string, folder: (scene: Scene) => string, file: string): Attack => {
  const placeIn = ({ w, port }: Scene): string => file.replace('$W', w).replace('$PORT', String(port))
  return escapeRow({
    name: `folders: ${name} is not connected to, though its folder is granted`,
    code: `dial(${JSON.stringify(file)}.replace('$W', scene.w).replace('$PORT', scene.port))`,
    grants(scene) {
      const at = placeIn(scene)
      mkdirSync(dirname(at), { recursive: true })
      const server = createServer((client) => client.end(secret)).on('error', () => undefined)
      server.listen(at)
      server.unref()
      return { write: [folder(scene)] }
    },
    escaped(said, scene) {
      rmSync(placeIn(scene), { force: true })
      if (file.includes('/ssh-')) rmSync(dirname(placeIn(scene)), { recursive: true, force: true })
      return got(said)
    },
  })
}

const parent = (scene: Scene): string => dirname(scene.home)

/** Moves a folder on the way to what is kept, and looks there at its next start. */
const moved = (
  name: string,
  from: string,
  to: string,
  file: string,
  grants: Escape['grants'],
  lay: (scene: Scene) => void = () => undefined,
): Attack =>
  reads(`${name}, after a folder around it was moved in an earlier start,`, `read(scene.home + '/${file}')`, {
    before: {
      code: `tell(() => fs.renameSync(scene.home + '/${from}', scene.home + '/${to}'))`,
    },
    grants(scene) {
      lay(scene)
      return grants?.(scene) ?? {}
    },
  })

/** Laid at the start; obeyed by an editor, an agent, git or a tool that the person runs in the folder. */
// biome-ignore format: a list reads better in rows
const obeyed = [
  '.mcp.json', '.cursor/mcp.json', '.claude/settings.local.json', '.devcontainer/devcontainer.json', '.idea/workspace.xml', '.envrc',
  '.vscode/settings.json', '.gemini/settings.json', '.codex/config.toml', '.npmrc', '.husky/pre-commit', '.pre-commit-config.yaml',
]

export const sandboxFolders: readonly Attack[] = [
  reads('the data folder of a granted folder with dots', data, raw('r/../.local/share/assent')),
  reads('the data folder of a granted folder around it', data, read('.local/share')),
  reads('the data folder of a granted home', data, write('')),
  reads('the data folder of the granted folder around the home', data, { grants: (scene) => ({ read: [parent(scene)] }) }),
  reads('a key of the granted folder around the home', `read(scene.home + '/.ssh/id_ed25519')`, {
    grants: (scene) => ({ read: [parent(scene)] }),
  }),
  reads('a later secret of the granted folder around the home', `after(() => read(scene.home + '/.azure/token'))`, {
    grants: (scene) => ({ read: [parent(scene)] }),
    meanwhile: ({ home }) => put(join(home, '.azure/token')),
  }),
  reads('a key of the granted root', `read(scene.home + '/.ssh/id_ed25519')`, system('read', '/')),
  reads('the data folder of the granted root', data, system('read', '/')),
  reads('another process of a granted /proc', `read('/proc/' + scene.pid + '/environ')`, system('read', '/proc')),
  reads(
    'a disk of a granted /dev',
    `tell(() => fs.readdirSync('/dev').some((n) => /^(vd|sd|nvme|xvd|dm-|loop|vsock|fuse)/.test(n)) ? '${secret}' : 'none')`,
    system('write', '/dev'),
  ),
  ...ofRoot(...['/srv', '/var/tmp', '/mnt', '/media', '/var/mail', '/var/log', '/run', '/boot'].map(laid)),
  reads('what a link of the person’s in a granted folder leads to', `read(scene.r + '/l')`, {
    grants(scene) {
      if (!existsSync(join(scene.r, 'l'))) symlinkSync(join(scene.home, 'private/note.txt'), join(scene.r, 'l'))
      return { read: [scene.r] }
    },
  }),
  escapeRow({
    name: 'folders: where a link of the person’s in a granted folder leads is not written',
    code: `write(scene.w + '/out/x')`,
    grants(scene) {
      if (!existsSync(join(scene.w, 'out'))) symlinkSync(scene.elsewhere, join(scene.w, 'out'))
      return { write: [scene.w] }
    },
    escaped: (_, { elsewhere }) => textOf(join(elsewhere, 'x')).includes('ESCAPED'),
  }),
  // What a server lays in its own home folder, which is at the person's path, for its next start.
  reads('a key by a link that an earlier start laid where a granted folder is mounted', `read(scene.home + '/r/id_ed25519')`, {
    before: {
      code: `tell(() => { if (process.env.HTTP_PROXY) { fs.symlinkSync(scene.home + '/.ssh', scene.home + '/r') } else { fs.rmSync(scene.home + '/r', { recursive: true }); fs.symlinkSync(scene.home + '/.ssh', scene.home + '/r') } })`,
      grants: () => ({ read: [], write: [] }),
    },
  }),
  ...['', '/oldroot', '/newroot', '/proc/self/root/oldroot'].map((root) =>
    escapeRow({
      name: `folders: no folder is made by a link to ${root || 'the place itself'} that an earlier start laid on the way to a mount`,
      code: `if (!process.env.HTTP_PROXY) fs.mkdirSync(scene.home + '/way/made', { recursive: true }); say('done')`,
      before: {
        code: `tell(() => fs.symlinkSync((process.env.HTTP_PROXY ? '${root}' : '') + scene.elsewhere, scene.home + '/way'))`,
        grants: () => ({ read: [], write: [] }),
      },
      grants(scene) {
        const outer = join(scene.home, 'way/made')
        if (!existsSync(join(scene.home, 'way'))) mkdirSync(outer, { recursive: true })
        return { read: [outer] }
      },
      escaped: (_, { elsewhere }) => existsSync(join(elsewhere, 'made')),
    }),
  ),
  moved(
    'a denied file',
    'w/a',
    'w/z',
    'w/z/b/secret.txt',
    (scene) => ({ write: [scene.w], denyRead: [join(scene.w, 'a/b/secret.txt')] }),
    ({ w }) => {
      if (!existsSync(join(w, 'z'))) put(join(w, 'a/b/secret.txt'))
    },
  ),
  moved('the data folder', '.local/share', '.local/share2', '.local/share2/assent/assent.db', ({ home }) => ({
    write: [join(home, '.local')],
  })),
  escapeRow({
    name: 'folders: a path that may not be written is not, after a folder around it was moved in an earlier start',
    before: { code: `tell(() => fs.renameSync(scene.w + '/a', scene.w + '/z'))` },
    code: `write(scene.w + '/z/keep/x')`,
    grants(scene) {
      if (!existsSync(join(scene.w, 'z'))) put(join(scene.w, 'a/keep/y'), 'mine')
      return { write: [scene.w], denyWrite: [join(scene.w, 'a/keep')] }
    },
    escaped: (_, { w }) => existsSync(join(w, 'z/keep/y')) && textOf(join(w, 'z/keep/x')).includes('ESCAPED'),
  }),
  // Granted by name, and still what other programs run.
  ...[
    '.bashrc',
    '.config/autostart',
    '.config/systemd/user',
    '.local/bin',
    '.ssh',
    'w/.git/hooks',
    'w/.git',
    '.local/share/applications',
  ].map((path) =>
    writes(
      `${path}, granted by name,`,
      path === '.bashrc' ? path : `${path}/${path === 'w/.git' ? 'hooks/pre-commit' : path === '.ssh' ? 'authorized_keys' : 'planted'}`,
      {
        grants: ({ home }) => {
          if (path === '.bashrc') put(join(home, path), 'mine')
          else mkdirSync(join(home, path), { recursive: true })
          return { write: [join(home, path)] }
        },
      },
    ),
  ),
  ...[
    'bin/ls',
    '.local/bin/ls',
    'Desktop/a.desktop',
    '.config/user-dirs.dirs',
    '.hushlogin',
    '.Xresources',
    '.Xmodmap',
    '.selected_editor',
  ].map((path) =>
    writes(`~/${path} of a granted home`, path, {
      grants: ({ home }) => {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        return { write: [home] }
      },
    }),
  ),
  ...['/', '/etc', '/proc', '/sys', '/run', '/var/run'].map((path) =>
    escapeRow({
      name: `folders: a start file is not written, nor a socket reached, with ${path} granted to be written`,
      code: `write(scene.home + '/.bashrc'); write('/etc/profile.d/assent-escape-' + scene.port + '.sh')`,
      ...system('write', path),
      escaped: (_, { home, port }) => {
        const planted = `/etc/profile.d/assent-escape-${port}.sh`
        const done = existsSync(planted) || textOf(join(home, '.bashrc')).includes('ESCAPED')
        rmSync(planted, { force: true })
        return done
      },
    }),
  ),
  // Git: what else it reads to run something.
  writes('the working tree’s own config', 'w/.git/config.worktree', {
    grants(scene) {
      put(join(scene.w, '.git/config'), '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n')
      return { write: [scene.w] }
    },
  }),
  writes('the way of a submodule to its repository', 'w/mod/.git', {
    grants(scene) {
      if (!textOf(join(scene.w, 'mod/.git'))) put(join(scene.w, 'mod/.git'), 'gitdir: ../.git/modules/mod\n')
      put(join(scene.w, '.git/modules/mod/HEAD'), 'ref: refs/heads/main\n')
      put(join(scene.w, '.git/modules/mod/config'), '[core]\n\tworktree = ../../../mod\n')
      return { write: [scene.w] }
    },
  }),
  writes('the repository, made anew in another place,', 'w/.git/hooks/pre-commit', {
    code: `tell(() => fs.renameSync(scene.w, scene.w + '-old')); tell(() => fs.symlinkSync(scene.w + '/plain', scene.w + '/.git')); write(scene.w + '/.git/hooks/pre-commit')`,
  }),
  ...obeyed.map((path) =>
    writes(`${path} in a granted folder`, `w/${path}`, {
      grants(scene) {
        if (!textOf(join(scene.w, path))) put(join(scene.w, path), '{}')
        if (path.startsWith('.husky')) put(join(scene.w, '.git/config'), '[core]\n\thooksPath = .husky\n')
        return { write: [scene.w] }
      },
    }),
  ),
  // What the sandbox lays where there is no repository, while the person makes one.
  escapeRow({
    name: 'folders: a repository that the person makes meanwhile is there afterwards',
    code: `after(() => setTimeout(() => { if (!process.env.HTTP_PROXY) fs.rmSync(scene.w + '/plain/.git', { recursive: true, force: true }); say('done') }, 300))`,
    grants: (scene) => ({ write: [join(scene.w, 'plain'), scene.w] }),
    meanwhile: ({ w }) => void spawnSync('git', ['init', '-q', join(w, 'plain')]),
    escaped: (_, { w }) => !existsSync(join(w, 'plain/.git/HEAD')),
  }),
  // Other servers.
  ...[
    `'/tmp/left-' + scene.port`,
    `'/dev/shm/left-' + scene.port`,
    `'/var/tmp/left-' + scene.port`,
    `process.env.HOME + '/left'`,
    `process.env.HOME + '/.cache/left'`,
  ].map((place) =>
    reads(`what another server left in ${place}`, `read(${place}); tell(() => { if (!process.env.HTTP_PROXY) fs.rmSync(${place}) })`, {
      before: {
        server: 'other',
        code: `tell(() => { fs.mkdirSync(path.dirname(${place}), { recursive: true }); fs.writeFileSync(${place}, '${secret}') })`,
      },
    }),
  ),
  ...[
    ['a/b', 'a_b'],
    ['A', 'a'],
    ['a', 'a '],
    ['..', '../..'],
    ['probe', 'probe/../probe'],
    ['é', 'e\u0301'],
  ].map(([server, other]) =>
    reads(`what a server named “${other}” left for one named “${server}”`, `read(process.env.HOME + '/left')`, {
      server: server ?? '',
      before: {
        server: other ?? '',
        code: `tell(() => { fs.mkdirSync(process.env.HOME, { recursive: true }); fs.writeFileSync(process.env.HOME + '/left', '${secret}') })`,
      },
    }),
  ),
  reads(
    'the proxy or home of another server',
    `
    const found = []
    const walk = (at, deep) => { if (deep > 5) return; let names = []; try { names = fs.readdirSync(at, { withFileTypes: true }) } catch { return } for (const one of names) { const p = at + '/' + one.name; if (one.isSocket()) found.push(p); else if (one.isDirectory() && !/^\\/(proc|sys|usr|lib)/.test(p)) walk(p, deep + 1) } }
    for (const root of ['/tmp', '/run/assent', scene.home, scene.dataDir, path.dirname(scene.home)]) walk(root, 0)
    say(found.some((p) => p === scene.socket || (p.startsWith(scene.dataDir) && !p.includes('probe'))) ? '${secret} ' + found : 'found ' + found)`,
  ),
  // Sockets of the session where a folder around them is granted.
  socketIn('a socket in a folder that may be written', ({ w }) => w, '$W/agent.sock'),
  socketIn('X11', () => '/tmp', '/tmp/.X11-unix/X$PORT'),
  socketIn('an ssh-agent', () => '/tmp', '/tmp/ssh-assent$PORT/agent.1'),
  socketIn('a bus', () => '/tmp', '/tmp/dbus-assent$PORT'),
]
