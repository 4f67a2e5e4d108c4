// What no policy of a browser takes from a view, taken from it before its first line runs: WebRTC, which asks neither
// `connect-src` nor anybody else, and the frames that a document could write within itself (`srcdoc`, which `frame-src` does
// not count), each with a WebRTC of its own. A frame that is not loaded yet runs nothing, and one of an origin without a
// name is closed to its parent: so it is enough to take it out before the next task.
// The view runs in the same window: nothing of this may call what the view can replace.

const script = `(() => {
  const { apply, ownKeys } = Reflect
  const { observe } = MutationObserver.prototype
  const { remove, attachShadow } = Element.prototype
  const { querySelectorAll } = DocumentFragment.prototype
  const seek = Document.prototype.querySelectorAll
  const unnamed = (place, pattern) => {
    for (const name of ownKeys(place)) if (typeof name === 'string' && pattern.test(name)) delete place[name]
  }
  unnamed(globalThis, /^(?:webkit)?rtc/i)
  for (const place of [Document, Document.prototype, Element.prototype, ShadowRoot.prototype]) unnamed(place, /unsafe|^write(?:ln)?$/i)
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

export function unconnected(html: string): string {
  const [start = ''] = beginning.exec(html) ?? []
  return `${start}<script>${script}</script>${html.slice(start.length).replace(written, 'data-shadow')}`
}
