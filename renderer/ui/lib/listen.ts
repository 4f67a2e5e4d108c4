type Handlers<Events> = { readonly [Name in keyof Events]?: (event: Events[Name]) => void }

/** Adds listeners to a part of the page. Returns its undo. */
export function listen(target: Window, handlers: Handlers<WindowEventMap>, options?: AddEventListenerOptions): () => void
export function listen(target: Document, handlers: Handlers<DocumentEventMap>, options?: AddEventListenerOptions): () => void
export function listen(target: HTMLElement, handlers: Handlers<HTMLElementEventMap>, options?: AddEventListenerOptions): () => void
export function listen(target: EventTarget, handlers: object, options?: AddEventListenerOptions): () => void {
  const listening = new AbortController()
  for (const [name, handler] of Object.entries(handlers))
    target.addEventListener(name, handler as EventListener, { ...options, signal: listening.signal })
  return () => listening.abort()
}
