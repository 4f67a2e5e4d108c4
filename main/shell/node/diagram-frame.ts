// The document of the frame that draws diagrams, with its script inline: the frame has an origin of its own, so it has no cookie, and its
// policy allows no request. The policy names the script by its hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { diagramSecurityPolicy } from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'

interface DiagramDocument {
  readonly bytes: Buffer
  readonly type: string
  readonly policy: string
}

/** Reads the document at the first diagram; undefined: nothing was built. */
export type DiagramFrame = () => DiagramDocument | undefined

export function createDiagramFrame(script: string): DiagramFrame {
  let made: DiagramDocument | undefined
  return () => {
    made ??= orElse(() => diagramDocument(readFileSync(script, 'utf8')), undefined)
    return made
  }
}

export function diagramDocument(script: string): DiagramDocument {
  const text = asInline(script)
  const hash = createHash('sha256').update(text).digest('base64')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title><style>html{background:transparent}body{margin:0;overflow:auto}svg{display:block}</style></head><body><script>${text}</script></body></html>`
  return { bytes: Buffer.from(html), type: 'text/html; charset=utf-8', policy: diagramSecurityPolicy(hash) }
}

/** Escapes what an HTML parser would change in an inline script: the end of the element, comments, line ends and NUL. */
const asInline = (script: string): string =>
  script
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\\0')
    .replace(/<(?=\/script|!--)/gi, '\\x3c')
