// Which file names are allowed in the folder: those that mean the same plain file on every system.

/** Why a name is not allowed, as the end of a sentence; undefined: it is. */
export function fileNameProblem(name: string): string | undefined {
  if (name === '' || name.length > 120) return 'must have 1 to 120 characters'
  if (/[/\\]/.test(name)) return 'must not contain a path'
  if (name.startsWith('.')) return 'must not begin with a dot'
  if (/[\p{C}<>:"|?*]/u.test(name)) return 'contains a character that file names must not have'
  if (/[ .]$/.test(name)) return 'must not end with a space or a dot'
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) return 'is reserved on Windows'
  if (!/\.(txt|json)$/.test(name)) return 'must end with .txt or .json'
  return undefined
}
