// Repositories in a folder that may be written: further ways to have git, an editor or another agent run what the server wrote, the next
// time that the person uses them there. Written after what peers' sandboxes were found to lack, and what git's own source reads.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow } from '../sandbox/escapes.ts'
import { inside, put, type Scene, textOf } from '../sandbox/scene.ts'

type Lay = (scene: Scene) => void
/** `path`: below the granted folder, as it is laid before. */
const row = (name: string, path: string, lay: Lay = () => undefined, more: Partial<Escape> = {}): Attack => {
  const grants = (scene: Scene) => {
    lay(scene)
    return { write: [scene.w] }
  }
  return escapeRow({
    name: `repository: ${name} is not written`,
    code: `write(scene.w + '/${path}')`,
    escaped: (_, scene) => textOf(join(scene.w, path)).includes('ESCAPED'),
    grants,
    ...more,
  })
}
const laying =
  (...paths: readonly string[]): Lay =>
  ({ w }) => {
    for (const path of paths) put(join(w, path), 'mine')
  }
const module_ = laying('.git/modules/lib/HEAD', '.git/modules/lib/config', '.git/modules/lib/hooks/sample')
const worktree = laying('.git/worktrees/two/HEAD', '.git/worktrees/two/commondir', '.git/worktrees/two/gitdir')
const configured =
  (text: string, ...paths: readonly string[]): Lay =>
  (scene) => {
    put(join(scene.w, '.git/config'), text)
    laying(...paths)(scene)
  }

/** Another server of the same folder starts and ends meanwhile: what its start put there may not go with it. */
const beside = (name: string, path: string): Attack =>
  row(name, path, () => undefined, {
    code: `after(() => setTimeout(() => write(scene.w + '/${path}'), 4500))`,
    grants: (scene) => ({
      write: [join(scene.w, 'plain'), scene.w].slice(path.startsWith('plain') ? 0 : 1, path.startsWith('plain') ? 1 : 2),
    }),
    meanwhile(scene) {
      mkdirSync(scene.w, { recursive: true })
      const grants = () => ({ write: [path.startsWith('plain') ? join(scene.w, 'plain') : scene.w] })
      void inside({ code: 'say(1)', grants }, { ...scene, attempts: [] })
    },
  })

export const repositories: readonly Attack[] = [
  row('a common folder of git’s that is not there', '.git/commondir'),
  row('a common folder of a repository further down', 'sub/repo/.git/commondir'),
  row('a hook of a submodule', '.git/modules/lib/hooks/pre-commit', module_),
  row('the config of a submodule', '.git/modules/lib/config', module_),
  row('the common folder of a submodule', '.git/modules/lib/commondir', module_),
  row('a hook of a submodule within a submodule', '.git/modules/lib/modules/deep/hooks/post-checkout', (scene) => {
    module_(scene)
    laying(
      '.git/modules/lib/modules/deep/HEAD',
      '.git/modules/lib/modules/deep/config',
      '.git/modules/lib/modules/deep/hooks/sample',
    )(scene)
  }),
  row(
    'a hook of a submodule whose name has a slash',
    '.git/modules/libs/one/hooks/pre-push',
    laying('.git/modules/libs/one/HEAD', '.git/modules/libs/one/config', '.git/modules/libs/one/hooks/sample'),
  ),
  row('the common folder of another working tree', '.git/worktrees/two/commondir', worktree),
  row('the way back of another working tree', '.git/worktrees/two/gitdir', worktree),
  row(
    'the folder of hooks that the config names',
    '.githooks/pre-commit',
    configured('[core]\n\thooksPath = .githooks\n', '.githooks/sample'),
  ),
  row(
    'the folder of hooks that the config names and that is not there',
    '.githooks/pre-commit',
    configured('[core]\n\thooksPath = .githooks\n'),
  ),
  row('the folder of hooks in quotes', 'my hooks/pre-commit', configured('[core]\n\tHooksPath="my hooks"\n', 'my hooks/sample')),
  row('a file that the config includes', 'shared.gitconfig', configured('[include]\n\tpath = ../shared.gitconfig\n', 'shared.gitconfig')),
  row('hooks of an agent', '.github/hooks/x.json', laying('.github/hooks/a.json')),
  row('tasks of another editor', '.zed/tasks.json', laying('.zed/settings.json')),
  row('hooks of another agent', '.kiro/hooks/x.json', laying('.kiro/hooks/a.json')),
  row('the config of a package manager that names its program', '.yarnrc.yml', laying('.yarnrc.yml')),
  row('the config of a compiler that names its wrapper', '.cargo/config.toml', laying('.cargo/config.toml')),
  beside('a hook, after another server of the folder had ended,', 'plain/.git/hooks/pre-commit'),
  beside('the common folder of git’s, after another server of the folder had ended,', '.git/commondir'),
]
