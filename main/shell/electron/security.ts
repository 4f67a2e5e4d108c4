// What no page of ours may do, whatever it was told: get a permission, go to another address, open a window, hold a
// webview, frame anything but the documents of diagrams and views. Links are opened by the host, which asks; so everything
// here says no.
import { app, type Session, type WebContents } from 'electron'
import { isDiagramFrame, isPage, isViewFrame } from './address.ts'

/** Returns its undo. */
export function guardEveryContents(): () => void {
  const onCreated = (_: unknown, contents: WebContents): void => guardContents(contents)
  app.on('web-contents-created', onCreated)
  return () => void app.off('web-contents-created', onCreated)
}

export function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('will-navigate', (details) => {
    if (!isPage(details.url)) details.preventDefault()
  })
  contents.on('will-frame-navigate', (details) => {
    if (!(details.isMainFrame ? isPage(details.url) : isDiagramFrame(details.url) || isViewFrame(details.url))) details.preventDefault()
  })
  contents.on('will-redirect', (details) => details.preventDefault())
}

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null))
  session.on('will-download', (event) => event.preventDefault())
}
