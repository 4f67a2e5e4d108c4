// What is worth a look before a server is added: it can be read, and will not work, or not be what it seems.

import { t } from '../../words/translate.ts'
import type { ServerDefinition } from '../definition.ts'
import { programOf } from './programs.ts'
import { unseenIn } from './unseen.ts'

interface Hint {
  readonly message: string
  readonly remedy: string
}

export function hintsFor(definition: ServerDefinition): Hint[] {
  const hints: Hint[] = unseenIn(definition).map((field) => ({
    message: t`There are characters in ${field} that one cannot see.`,
    remedy: t`Look at what is shown in their place before you add it.`,
  }))
  if (definition.transport !== 'stdio') return hints
  const { args } = definition
  const program = programOf(definition.command)
  if ((program === 'docker' || program === 'podman') && args[0] === 'run') {
    const options = args.slice(
      1,
      Math.max(
        1,
        args.findIndex((arg, index) => index > 0 && !arg.startsWith('-')),
      ),
    )
    const given = options.length > 0 ? options : args.slice(1)
    if (
      !given.some((arg) => /^-[a-z]*i[a-z]*$/.test(arg) || arg === '--interactive') &&
      !args.includes('-i') &&
      !args.includes('--interactive')
    )
      hints.push({ message: t`Without -i the container does not read what Assent says to it.`, remedy: t`Add -i after “run”.` })
    if (args.some((arg) => /^-[a-z]*t[a-z]*$/.test(arg) || arg === '--tty'))
      hints.push({ message: t`With -t the container takes Assent for a terminal.`, remedy: t`Remove the t.` })
  }
  return hints
}
