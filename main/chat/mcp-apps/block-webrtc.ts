// Removes WebRTC from an MCP App before its first line runs: no `connect-src` limits WebRTC. Documents within the app (`srcdoc`,
// `javascript:`), each with a WebRTC of its own and outside of `frame-src`, are refused by the one Trusted Types policy that the
// app's CSP allows; APIs that parse without Trusted Types are deleted, and frames that appear all the same are removed before they
// load. The app runs in the same window: the script must call nothing that the app can replace.
const script = `(() => {
  const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
  const { observe } = MutationObserver.prototype
  const { remove, attachShadow } = Element.prototype
  const { querySelectorAll } = DocumentFragment.prototype
  const { toLowerCase, includes } = String.prototype
  const seek = Document.prototype.querySelectorAll
  const unnamed = (place, pattern) => {
    for (const name of ownKeys(place)) if (typeof name === 'string' && pattern.test(name)) delete place[name]
  }
  if (!globalThis.trustedTypes) return stop()
  const has = (text, word) => apply(includes, text, [word])
  trustedTypes.createPolicy('default', {
    createHTML(html, type, sink) {
      const text = apply(toLowerCase, html, [])
      const writes = sink === 'HTMLIFrameElement srcdoc' || (has(text, 'iframe') && has(text, 'srcdoc')) || has(text, '<!entity')
      return writes ? null : html
    },
    createScript: (text, type, sink) => (sink === 'Location href' ? null : text),
    createScriptURL: (url) => url,
  })
  unnamed(globalThis, /^(?:(?:webkit)?rtc|xslt|trustedtypes$)/i)
  for (const place of [Document, Document.prototype, Element.prototype, ShadowRoot.prototype]) unnamed(place, /unsafe|^write(?:ln)?$/i)
  const asked = XMLHttpRequest.prototype
  const { get, set } = getOwnPropertyDescriptor(asked, 'responseType')
  unnamed(asked, /^responsexml$/i)
  defineProperty(asked, 'responseType', { get, set(type) { const kind = \`\${type}\`; if (kind !== 'document') apply(set, this, [kind]) } })
  const sweep = (found) => {
    for (let at = 0, one; (one = found[at]) !== undefined; at += 1) apply(remove, one, [])
  }
  const sought = 'iframe[srcdoc]'
  const watch = (root, swept) => apply(observe, new Watcher(swept), [root, { childList: true, subtree: true, attributes: true, attributeFilter: ['srcdoc'] }])
  const Watcher = MutationObserver
  watch(document, () => sweep(apply(seek, document, [sought])))
  Element.prototype.attachShadow = function (...given) {
    const root = apply(attachShadow, this, given)
    watch(root, () => sweep(apply(querySelectorAll, root, [sought])))
    return root
  }
})()`

/** Everything up to the doctype, with comments as an HTML parser ends them (HTML, 13.2.5.43 on). */
const beginning = /^(?:[\s\uFEFF]|<!--(?!-?>)(?:(?!--!?>)[\s\S])*--!?>)*<!doctype[^>]*>/i

/** Declarative shadow trees: the parser makes them, so that no observer sees them. */
const written = /shadowrootmode/gi

/** `srcdoc` in the document's own text, which no Trusted Types policy sees. A digit replaces the `o`, so that a name in a script stays a name. */
const writtenFrame = /(srcd)o(c)/gi

/**
 * Tells the page of errors and of what the policy blocked, for pages of answers. The document can say the same by itself: a message
 * is a sentence to show and no more (`renderer/features/chat/artifacts/artifact-frame.tsx`).
 */
export const reporter = `<script>(() => {
  const tell = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*')
  addEventListener('error', ({ message, lineno }) => message && tell('artifact/error', { message, line: lineno }))
  addEventListener('unhandledrejection', ({ reason }) => tell('artifact/error', { message: String(reason), line: 0 }))
  addEventListener('securitypolicyviolation', ({ blockedURI }) => tell('artifact/blocked', { address: blockedURI }))
})()</script>`

/** `more`: markup between our script and the document. */
export function unconnected(html: string, more = ''): string {
  const [start = ''] = beginning.exec(html) ?? []
  const rest = html.slice(start.length).replace(written, 'data-shadow')
  return `${start}<script>${script}</script>${more}${/<iframe/i.test(rest) ? rest.replace(writtenFrame, '$10$2') : rest}`
}
