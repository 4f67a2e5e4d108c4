import { t } from '#app/i18n/translate.ts'
import { engineInstall, type NoEngineReason } from '#app/server/sandbox/sandbox-settings.ts'
import { CopyButton } from '#renderer/ui/button.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'

interface MissingEngineProps {
  readonly reason: NoEngineReason
  readonly remedy: string
}

/** Says that there is no sandbox on this computer, and how to come to one. */
export const MissingEngine = ({ reason, remedy }: MissingEngineProps) => (
  <WarnNotice
    title={t`Not sandboxed: this computer has no sandbox.`}
    action={reason === 'not-installed' && <CopyButton words label={t`Copy the command`} text={engineInstall} />}
  >
    {remedy} {t`Without one it can read and change what you can, and reach every host.`}
  </WarnNotice>
)
