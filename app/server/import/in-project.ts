// Servers of a project's own file, said so that they can run without it being open: its folder is named where the file
// speaks of it, and is where they run unless they say otherwise.
import type { ServerDefinition } from '../definition.ts'
import { replaceReferences } from '../references.ts'
import { replacedIn } from './replaced.ts'
import type { Snippet } from './snippet.ts'

/** `folder`: a whole path. */
export function inProject(snippet: Snippet, folder: string): Snippet {
  const name = folder.split(/[\\/]/).at(-1) ?? folder
  // What is put in must never be read as a reference itself: such a folder is not put in.
  const known = !folder.includes('$' + '{')
  const whole = (text: string): string =>
    replaceReferences(text, (reference) => {
      if (!known || reference.kind !== 'place') return undefined
      return reference.place === 'workspaceFolder' ? folder : reference.place === 'workspaceFolderBasename' ? name : undefined
    })
  const there = (definition: ServerDefinition): ServerDefinition => {
    const own = replacedIn(definition, whole)
    return known && own.transport === 'stdio' && own.cwd === undefined ? { ...own, cwd: folder } : own
  }
  return {
    ...snippet,
    servers: snippet.servers.map((server) => ({ ...server, definition: there(server.definition), project: server.project ?? folder })),
  }
}
