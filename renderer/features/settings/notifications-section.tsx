// Being called while no window of Assent is in front. In the desktop application the system's settings decide; in the web
// shell it is the browser, which is asked only by the press here.
import { useSyncExternalStore } from 'react'
import { t } from '#app/words/translate.ts'
import { noticeState, onNoticeState, turnNotices } from '#renderer/shell/notifications/browser-notices.ts'
import { useConnection } from '#renderer/stores/react.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'

export function NotificationsSection() {
  const web = useConnection((state) => state.about?.shell.kind === 'web')
  return (
    <section className="sec">
      <h2 className="h3">{t`Notifications`}</h2>
      <p className="lede">
        {t`When something waits for you and no window of Assent is in front, a notification says which server it is and what kind of thing it wants. An answer that took long calls you too. What servers and models say is never in it.`}
      </p>
      {web ? <BrowserNotifications /> : <p className="help">{t`They can be turned off in the settings of your system.`}</p>}
    </section>
  )
}

function BrowserNotifications() {
  const state = useSyncExternalStore(onNoticeState, noticeState)
  if (state === 'unsupported')
    return <p className="help">{t`This browser shows no notifications of this page. The title of its tab counts what waits.`}</p>
  return (
    <>
      <Switch
        label={t`Show them in this browser`}
        checked={state === 'granted'}
        disabled={state === 'denied'}
        onChange={(on) => void turnNotices(on)}
      />
      {state === 'denied' && (
        <Notice tone="warn" title={t`This browser refuses notifications of ${window.location.host}.`}>
          {t`Set Notifications to “Allow” in its settings for this site, which open from the icon beside the address, then load the page anew.`}
        </Notice>
      )}
      <p className="help">{tx`The browser keeps your choice for this address, ${window.location.host}.`}</p>
    </>
  )
}
