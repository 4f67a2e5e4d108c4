// What the walls promise, checked on what was built: the page's chunks hold no Node, Electron or host code, the page loads nothing from
// elsewhere and starts without zod, what draws diagrams is in their frame alone, and the preload requires nothing but electron. The host
// starts without the MCP SDK, which comes with the first server, takes Node's modules by name, and the web shell has a link before there is a
// host (decision 44).
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requestNames } from '#app/contract/requests.ts'

interface Finding {
  readonly file: string
  readonly what: string
}

const forbidden: readonly (readonly [RegExp, string])[] = [
  [/["'`]node:[a-z_/]+["'`]/, 'names a Node module'],
  [/\bchild_process\b/, 'names child_process'],
  [/\bfrom\s*["']electron["']|require\(\s*["']electron["']\s*\)/, 'imports electron'],
  [/\brequire\(\s*["'][^"']+["']\s*\)/, 'requires a module'],
  // A header that the SDKs of Anthropic and OpenAI add to each request.
  [/@anthropic-ai\/sdk|X-Stainless-/, 'holds a model SDK'],
  [/\bnew Function\(|[^.\w]eval\(/, 'evaluates text as code'],
]

const forbiddenInPage: typeof forbidden = [...forbidden, [/\bmermaidAPI\b/, 'holds what draws diagrams']]

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** The chunks that a file cannot be loaded without. */
function startsWith(file: string): ReadonlySet<string> {
  const known = new Set([file])
  for (const one of known)
    for (const [, path] of readFileSync(one, 'utf8').matchAll(/(?:^|;)(?:import|export) ?(?:[^;"]*from ?)?"(\.[^"]+)";/gm))
      known.add(join(dirname(one), path as string))
  return known
}

/** Findings in the built page, host and preload below `dist`; none is what is wanted. */
function checkChunks(dist: string): Finding[] {
  const findings: Finding[] = []
  const pageFiles = files(join(dist, 'renderer'))
  for (const file of pageFiles.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(file, 'utf8')
    for (const [pattern, what] of forbiddenInPage)
      if (pattern.test(text)) findings.push({ file, what: `${what}: ${pattern.exec(text)?.[0]}` })
  }
  for (const file of pageFiles.filter((name) => /[\\/]start-[^\\/]+\.js$/.test(name)))
    if ([...startsWith(file)].some((name) => readFileSync(name, 'utf8').includes('~standard')))
      findings.push({ file, what: 'starts with zod' })
  for (const file of pageFiles.filter((name) => /\.(html|css)$/.test(name))) {
    const text = readFileSync(file, 'utf8')
    const outside = /(?:src|href)=["'](?:https?:)?\/\/[^"']+|url\(\s*["']?(?:https?:)?\/\//.exec(text)
    if (outside) findings.push({ file, what: `loads from elsewhere: ${outside[0]}` })
    // A page’s use of a schema that the start declares: the two files then need each other, and the page stays blank.
    if (file.endsWith('.html') && /\/schemas-[^/]+\.js/.test(text)) findings.push({ file, what: 'starts with zod' })
    if (file.endsWith('.html') && /<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=/.test(text))
      findings.push({ file, what: 'has inline script or style' })
  }
  const frame = readFileSync(join(dist, 'diagram/frame.js'), 'utf8')
  for (const [pattern, what] of forbidden)
    if (pattern.test(frame)) findings.push({ file: 'diagram/frame.js', what: `${what}: ${pattern.exec(frame)?.[0]}` })
  if (/[^.\w]import\(/.test(frame)) findings.push({ file: 'diagram/frame.js', what: 'is not one file' })
  const hosts = files(join(dist, 'main/chunks')).filter((name) => /[\\/]host-[^\\/]+$/.test(name))
  for (const file of hosts.flatMap((host) => [...startsWith(host)]))
    if (readFileSync(file, 'utf8').includes('node_modules/@modelcontextprotocol/client/'))
      findings.push({ file, what: 'loads the SDK at start' })
  if (hosts.length === 0) findings.push({ file: dist, what: 'holds no built host' })
  const shells = files(join(dist, 'main/chunks')).filter((name) => /[\\/]web-shell-[^\\/]+$/.test(name))
  for (const file of shells)
    if ([...startsWith(file)].some((name) => hosts.includes(name))) findings.push({ file, what: 'loads the host before there is a link' })
  for (const file of new Set([...hosts, ...shells].flatMap((start) => [...startsWith(start)]))) {
    const text = readFileSync(file, 'utf8')
    if (/^import \{[^}]+\} from "(?:node:)?(?!sqlite")[a-z_/]+";$/m.test(text))
      findings.push({ file, what: 'reads all members of a Node module' })
    if (/[^\0-\x7f]/.test(text)) findings.push({ file, what: 'is not ASCII: V8 would keep its source with two bytes a character' })
    if (/\bdata_exports\b/.test(text)) findings.push({ file, what: 'makes a module of JSON data at start' })
    if (/\b(?:__)?require\("(?:https|tls)"\)/.test(text)) findings.push({ file, what: 'loads TLS at start' })
  }
  if (shells.length === 0) findings.push({ file: dist, what: 'holds no built web shell' })
  const preload = readFileSync(join(dist, 'preload/preload.cjs'), 'utf8')
  for (const [, name] of preload.matchAll(/require\(\s*["']([^"']+)["']\s*\)/g)) {
    if (name !== 'electron') findings.push({ file: 'preload.cjs', what: `requires ${name}` })
  }
  if (/zod/i.test(preload)) findings.push({ file: 'preload.cjs', what: 'holds zod' })
  for (const name of requestNames)
    if (!preload.includes(JSON.stringify(name))) findings.push({ file: 'preload.cjs', what: `lets no page ask ${name}` })
  if (pageFiles.filter((name) => name.endsWith('.js')).length === 0) findings.push({ file: dist, what: 'holds no built page' })
  return findings
}

if (import.meta.main) {
  const findings = checkChunks('dist')
  for (const { file, what } of findings) process.stderr.write(`${file}: ${what}\n`)
  process.stdout.write(findings.length === 0 ? 'The built page, host and preload keep to the walls.\n' : `${findings.length} findings\n`)
  process.exit(findings.length === 0 ? 0 : 1)
}
