// Draws one diagram in a frame with an opaque origin (`sandbox="allow-scripts"`), whose policy allows this script and inline
// styles and nothing else: no request, no frame, no form, no parent. The source arrives by message; a size or an error goes back.
// Settings that a source could change are closed here too, but the security does not depend on it.
import mermaid from 'mermaid'
import { type FrameMessage, readOrder } from '../features/chat/diagram/frame-messages.ts'

/** Settings that neither `%%{init}%%` nor front matter of a source may change. */
const closedSettings = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'look',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
]

const tell = (message: FrameMessage): void => parent.postMessage(message, '*')
let drawn: { readonly svg: SVGSVGElement; readonly width: number; readonly height: number } | undefined

async function draw(source: string, dark: boolean): Promise<void> {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: closedSettings,
    theme: dark ? 'dark' : 'neutral',
    // Flat as the page: in the dark its shadows and gradients make a bevel.
    look: 'classic',
    themeVariables: { useGradient: false, dropShadow: 'none' },
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    maxTextSize: source.length,
    maxEdges: 500,
    htmlLabels: false,
    suppressErrorRendering: true,
  })
  const { svg: markup, diagramType } = await mermaid.render('drawing', source)
  document.body.innerHTML = markup
  const svg = document.querySelector('svg')
  if (!svg) throw new Error('It drew nothing.')
  // Links lead nowhere.
  for (const link of svg.querySelectorAll('a'))
    for (const name of link.getAttributeNames()) if (/href|target/.test(name)) link.removeAttribute(name)
  const box = svg.viewBox.baseVal
  const rect = svg.getBoundingClientRect()
  drawn = { svg, width: box?.width || rect.width, height: box?.height || rect.height }
  svg.style.maxWidth = 'none'
  size(1)
  tell({ kind: 'drawn', width: drawn.width, height: drawn.height, type: diagramType })
}

function size(scale: number): void {
  if (!drawn) return
  drawn.svg.style.width = `${drawn.width * scale}px`
  drawn.svg.style.height = `${drawn.height * scale}px`
}

addEventListener('message', (event) => {
  if (event.source !== parent) return
  const order = readOrder(event.data)
  if (order?.kind === 'zoom') size(order.scale)
  if (order?.kind === 'draw')
    draw(order.source, order.dark).catch((error: unknown) =>
      tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
})
tell({ kind: 'ready' })
