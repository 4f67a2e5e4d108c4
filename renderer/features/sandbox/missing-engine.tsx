import { t } from '#app/i18n/translate.ts'
import { engineCommands } from '#app/server/sandbox/sandbox-settings.ts'
import { CopyButton } from '#renderer/ui/button.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'

/** Says that there is no sandbox on this computer, and how to come to one. */
export function MissingEngine({ remedy }: { readonly remedy: string }) {
  const command = Object.values(engineCommands).find((one) => remedy.includes(one))
  return (
    <WarnNotice
      title={t`There is no sandbox on this computer.`}
      action={command !== undefined && <CopyButton words label={t`Copy command`} text={command} />}
    >
      {remedy} {t`It can read and change what you can, and reach every host.`}
    </WarnNotice>
  )
}
