// What no policy of a browser takes from a view, taken from it before its first line runs: WebRTC, which asks neither
// `connect-src` nor anybody else, and the documents within it (`srcdoc`, `javascript:`), which `frame-src` does not count and
// each of which has a WebRTC of its own. Its policy requires Trusted Types and allows the one policy that is made here: text
// that would become such a document is refused where the browser reads it, whichever tree it is for. What no sink sees (a
// parser that Trusted Types leave out) is taken away. Frames that come to be all the same are taken out before they load.
// The view runs in the same window: nothing of this may call what the view can replace.
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

/** As far as a parser goes until it knows the kind of document. A comment ends where it ends for a parser (HTML, 13.2.5.43 on). */
const beginning = /^(?:[\s\uFEFF]|<!--(?!-?>)(?:(?!--!?>)[\s\S])*--!?>)*<!doctype[^>]*>/i

/** Shadow trees that are written into a document are made by its parser, and nobody sees them made. */
const written = /shadowrootmode/gi

/** The document's own parser asks no policy. A digit keeps what is a name in a script one; without a frame nothing is changed. */
const writtenFrame = /(srcd)o(c)/gi

export function unconnected(html: string): string {
  const [start = ''] = beginning.exec(html) ?? []
  const rest = html.slice(start.length).replace(written, 'data-shadow')
  return `${start}<script>${script}</script>${/<iframe/i.test(rest) ? rest.replace(writtenFrame, '$10$2') : rest}`
}
