// Which values are set off as paths: those that begin like one (~, /, ./, ../, a drive, \\share). A relative name with
// a slash in it may as well be a repository or a topic, and is left alone.
export function splitPath(text: string): { readonly folder: string; readonly name: string } | undefined {
  if (!/^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(text) || /[\n\r]/.test(text)) return undefined
  const at = Math.max(text.lastIndexOf('/', text.length - 2), text.lastIndexOf('\\', text.length - 2))
  return { folder: text.slice(0, at + 1), name: text.slice(at + 1) }
}
