import { useId } from 'react'
import { type LogLevel, logLevel } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Select } from '#renderer/ui/field.tsx'

const words: Record<LogLevel, string> = {
  debug: t`Everything`,
  info: t`Info and worse`,
  notice: t`Notices and worse`,
  warning: t`Warnings and worse`,
  error: t`Errors and worse`,
  critical: t`Critical and worse`,
  alert: t`Alerts and worse`,
  emergency: t`Emergencies only`,
}

/** From which level on the server is asked to send messages. Only for servers that say they log this way. */
export function LogLevelSelect({ server }: { readonly server: ServerView }) {
  const { go } = useActions()
  const id = useId()
  if (!server.session?.offers?.includes('logging')) return null
  return (
    <div className="row log-level">
      <label htmlFor={id} className="help nowrap">
        {t`Messages to send`}
      </label>
      <Select
        id={id}
        className="fit"
        value={server.logLevel ?? 'info'}
        onChange={({ target }) => go('server.setLogLevel', { name: server.name, level: logLevel.parse(target.value) })}
      >
        {logLevel.options.map((level) => (
          <option key={level} value={level}>
            {words[level]}
          </option>
        ))}
      </Select>
    </div>
  )
}
