// Ways out of the sandbox: each is tried by a real program inside, and must fail; then outside, or with its grant, and must succeed.
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { type Attack, unless } from '../../attack.ts'
import { inside, onScene, outside, type Run, type Scene } from './scene.ts'

export interface Escape extends Run {
  readonly name: string
  /** Whether it got out, by what it wrote and by what there is now. */
  readonly escaped: (said: string, scene: Scene) => boolean | Promise<boolean>
  /** Grants with which the same has to succeed inside; default: it has to succeed outside. */
  readonly granted?: (scene: Scene) => ReturnType<NonNullable<Run['grants']>>
}

const family = 'sandbox'

/** Rows that succeed outside only for root. */
export const ofRoot = (...rows: readonly Attack[]): readonly Attack[] => (process.getuid?.() === 0 ? rows : [])

/** Without bubblewrap there is nothing that these get out of: they are ways of Linux. */
const missing = (await findEngine()).kind === 'bubblewrap' ? undefined : 'this computer has no bubblewrap, or does not let it work'

export const escapeRow = (one: Escape): Attack => ({
  family,
  name: one.name,
  ...(missing === undefined ? {} : { skip: missing }),
  async run() {
    const held = await onScene(async (scene) => {
      const said = await inside(one, scene)
      return unless(!(await one.escaped(said, scene)), `it got out: ${said.slice(0, 300)} ${scene.attempts.join(', ')}`)
    })
    return onScene(async (scene) => {
      const { granted } = one
      const said = granted ? await inside({ ...one, grants: granted }, scene) : await outside(one, scene)
      return [
        ...held,
        ...unless(
          await one.escaped(said, scene),
          `control: it does not succeed either: ${said.slice(0, 300)} ${scene.attempts.join(', ')}`,
        ),
      ]
    })
  },
})
