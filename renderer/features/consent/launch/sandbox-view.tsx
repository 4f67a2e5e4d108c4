import { t } from '#app/i18n/translate.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { sandboxRows } from './sandbox-lines.ts'

/** Grants of a server (reads, writes, reaches), or the reason why it runs without a sandbox. */
export function SandboxView({ sandbox }: { readonly sandbox: LaunchSandbox }) {
  if (sandbox.kind === 'missing') return <WarnNotice title={t`Not sandboxed on this computer.`}>{sandbox.remedy}</WarnNotice>
  if (sandbox.kind === 'off') return <WarnNotice title={sandbox.by ? t`Not sandboxed.` : t`Not sandboxed, as its entry says.`} />
  return (
    <dl className="kv" data-sandbox="on">
      {sandboxRows(sandbox).map(({ label, values, words }) => (
        <Fact key={label} label={label}>
          {words !== '' && <span className="dim">{words}</span>}
          {values.map((value) => (
            <div key={value}>
              <VisibleText className="mono arg-word" text={value} />
            </div>
          ))}
        </Fact>
      ))}
    </dl>
  )
}
