// The resources of one server as folders, by the paths in their addresses. Built one by one, so that a list of tens of thousands
// can be built in slices; a server can make no more folders than somebody would ever open.
import { decoded, pathOf } from './resource-path.ts'

export interface Folder {
  /** Its whole path, unique in the tree. */
  readonly id: string
  readonly name: string
  readonly folders: readonly Folder[]
  /** Places in the server's list, in its order. */
  readonly leaves: readonly number[]
  /** Resources in it, at any depth. */
  readonly count: number
}

interface Growing {
  readonly id: string
  readonly name: string
  readonly folders: Map<string, Growing>
  readonly leaves: number[]
}

const mostFolders = 20_000
const growing = (id: string, name: string): Growing => ({ id, name, folders: new Map(), leaves: [] })

export interface TreeBuilder {
  add(uri: string, index: number): void
  /** The root, which has no name. */
  finish(): Folder
}

export function createTreeBuilder(): TreeBuilder {
  const root = growing('', '')
  let folders = 0
  const childOf = (parent: Growing, part: string): Growing => {
    const known = parent.folders.get(part)
    if (known) return known
    if (folders >= mostFolders) return parent
    folders += 1
    const child = growing(`${parent.id}/${part}`, decoded(part))
    parent.folders.set(part, child)
    return child
  }
  return {
    add(uri, index) {
      const path = pathOf(uri)
      let at = childOf(root, path.scheme)
      for (const part of path.folders) at = childOf(at, part)
      at.leaves.push(index)
    },
    finish() {
      const whole = grown(root)
      // One scheme for all says nothing.
      const [only] = whole.folders
      return whole.folders.length === 1 && only ? { ...only, name: '' } : whole
    },
  }
}

function grown(folder: Growing): Folder {
  const folders = [...folder.folders.values()].map((child) => joined(grown(child), folder.id === ''))
  const count = folder.leaves.length + folders.reduce((sum, child) => sum + child.count, 0)
  return { id: folder.id, name: folder.name, folders, leaves: folder.leaves, count }
}

/** A folder in which there is only a folder is one row with it. */
function joined(folder: Folder, isScheme: boolean): Folder {
  const [only] = folder.folders
  if (isScheme || folder.leaves.length > 0 || folder.folders.length !== 1 || !only) return folder
  return { ...only, name: `${folder.name}/${only.name}` }
}

/** The folders that a resource stands in, outermost first. */
export function foldersTo(root: Folder, index: number): readonly string[] {
  const find = (folder: Folder, above: readonly string[]): readonly string[] | undefined => {
    if (folder.leaves.includes(index)) return above
    for (const child of folder.folders) {
      const found = find(child, [...above, child.id])
      if (found) return found
    }
    return undefined
  }
  return find(root, []) ?? []
}
