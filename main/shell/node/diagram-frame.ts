// The document of the frame that draws diagrams, made of the one script that was built for it. The script stands in the
// document, because a frame of an origin of its own could not ask either shell for it: it has no cookie, and no policy of
// ours lets it make a request. The policy names that script by its hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { diagramSecurityPolicy } from '#app/contract/csp.ts'

interface DiagramDocument {
  readonly bytes: Buffer
  readonly type: string
  readonly policy: string
}

/** Read with the first diagram; undefined: nothing was built. */
export type DiagramFrame = () => DiagramDocument | undefined

export function createDiagramFrame(script: string): DiagramFrame {
  let made: DiagramDocument | undefined
  return () => {
    made ??= read(script)
    return made
  }
}

function read(script: string): DiagramDocument | undefined {
  try {
    return diagramDocument(readFileSync(script, 'utf8'))
  } catch {
    return undefined // there is no such file: the page then says that the diagram could not be drawn
  }
}

export function diagramDocument(script: string): DiagramDocument {
  const text = asInline(script)
  const hash = createHash('sha256').update(text).digest('base64')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title><style>html{background:transparent}body{margin:0;overflow:auto}svg{display:block}</style></head><body><script>${text}</script></body></html>`
  return { bytes: Buffer.from(html), type: 'text/html; charset=utf-8', policy: diagramSecurityPolicy(hash) }
}

/** As a parser of HTML leaves it alone: no end of the element, no comment, no line end or null that it would rewrite. */
const asInline = (script: string): string =>
  script
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\\0')
    .replace(/<(?=\/script|!--)/gi, '\\x3c')
