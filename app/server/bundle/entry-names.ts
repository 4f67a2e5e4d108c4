// Check of the file names in a bundle before anything is written. Each must lead to a file of its own below the folder that it is
// unpacked into, on every system alike; a bundle with one name that does not is refused whole.

/** Characters of a path. Node opens longer ones on Windows, but other programs there do not. */
const longestPath = 400
const longestPart = 200
const deepest = 40

/** Device names of Windows, also with an extension. */
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i

type NameFault =
  | 'empty'
  | 'absolute'
  | 'drive'
  | 'backslash'
  | 'escapes'
  | 'control'
  | 'reserved'
  | 'character'
  | 'ending'
  | 'too-long'
  | 'twice'
  | 'collides'
  | 'link'

/** Judges one name by itself; `a/b/` is a folder. */
function faultOfName(name: string): NameFault | undefined {
  if (name === '' || name === '/') return 'empty'
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return 'control'
  if (name.startsWith('/')) return 'absolute'
  if (/^[a-z]:/i.test(name)) return 'drive'
  if (name.includes('\\')) return 'backslash'
  const parts = name.replace(/\/$/, '').split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'escapes'
  if (name.length > longestPath || parts.length > deepest || parts.some((part) => part.length > longestPart)) return 'too-long'
  if (/[<>:"|?*]/.test(name)) return 'character'
  if (parts.some((part) => /[. ]$/.test(part))) return 'ending'
  if (parts.some((part) => reserved.test(part))) return 'reserved'
  return undefined
}

/** Returns the same text for names that are one file where neither case nor Unicode form counts. Capitals come first: `ß` is `SS` on APFS. */
const sameFile = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Returns a function that finds what is wrong with a name, given those that it was called with before. */
export function createNameJudge(): (name: string) => NameFault | undefined {
  /** Files and folders so far, by `sameFile`. */
  const taken = new Map<string, { readonly name: string; readonly kind: 'file' | 'folder' }>()

  function place(path: string, kind: 'file' | 'folder'): NameFault | undefined {
    const key = sameFile(path)
    const before = taken.get(key)
    if (!before) {
      taken.set(key, { name: path, kind })
      return undefined
    }
    if (before.name !== path || before.kind !== kind) return 'collides'
    return kind === 'file' ? 'twice' : undefined
  }

  return (name) => {
    const fault = faultOfName(name)
    if (fault) return fault
    const parts = name.replace(/\/$/, '').split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const above = place(parts.slice(0, depth).join('/'), 'folder')
      if (above) return above
    }
    return place(parts.join('/'), name.endsWith('/') ? 'folder' : 'file')
  }
}
