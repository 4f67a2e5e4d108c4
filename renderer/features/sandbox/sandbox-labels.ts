// Words about a server's sandbox: its lists, what is wrong with a grant, why one was suggested, what a secret place holds. Pure.
import { t } from '#app/i18n/translate.ts'
import type { GrantFault, GrantList } from '#app/server/sandbox/check-grant.ts'
import type { SecretKind } from '#app/server/sandbox/protected-paths.ts'
import type { ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { SandboxSuggestion } from '#app/server/sandbox/sandbox-suggestion.ts'
import type { IconName } from '#renderer/ui/icon.tsx'

interface ListWords {
  readonly icon: IconName
  readonly label: string
  readonly add: string
  /** Name of the field. */
  readonly field: string
  readonly remove: (value: string) => string
}

export const listWords: Readonly<Record<GrantList, ListWords>> = {
  read: {
    icon: 'eye',
    label: t`Read folders`,
    add: t`Add folder`,
    field: t`Folder that it may read`,
    remove: (value) => t`Remove folder ${value} to read`,
  },
  write: {
    icon: 'edit',
    label: t`Write folders`,
    add: t`Add folder`,
    field: t`Folder that it may write`,
    remove: (value) => t`Remove folder ${value} to write`,
  },
  hosts: {
    icon: 'globe',
    label: t`Reach hosts`,
    add: t`Add host`,
    field: t`Host that it may reach`,
    remove: (value) => t`Remove host ${value}`,
  },
}

export const faultWords: Readonly<Record<GrantFault, string>> = {
  empty: t`Write a value, or press Escape.`,
  relative: t`Write the whole path, from / or ~/.`,
  pattern: t`Name the folder, without “*”.`,
  control: t`A character is not allowed here.`,
  never: t`No server may do this.`,
  'secret-write': t`No server may do this.`,
  'not-a-host': t`Write a host: api.example.com, *.example.com, 127.0.0.1:8080, or *.`,
  present: t`It is in the list.`,
}

/** Why a grant is suggested, short enough to stand beside it. */
export const reasonWords: Readonly<Record<SandboxSuggestion['reason'], string>> = {
  argument: t`from its arguments`,
  url: t`from an address in its command`,
  variable: t`from its variables`,
  'known-server': t`this server is known to need it`,
  install: t`to install the package`,
}

interface SecretWords {
  /** Badge beside the path. */
  readonly badge: string
  readonly meaning: string
}

export const secretWords: Readonly<Record<SecretKind, SecretWords>> = {
  keys: { badge: t`keys`, meaning: t`Your keys are there.` },
  credentials: { badge: t`credentials`, meaning: t`Credentials of your accounts are there.` },
  passwords: { badge: t`passwords`, meaning: t`Passwords are there.` },
  profiles: { badge: t`browser or mail`, meaning: t`Passwords, cookies and mail are there.` },
  history: { badge: t`history`, meaning: t`Your history is there, at times with passwords.` },
  apps: { badge: t`app tokens`, meaning: t`Tokens of other apps are there.` },
}

/** Why a server has no sandbox, and needs none. */
export const exemptionWords: Readonly<Record<Extract<ServerSandbox, { kind: 'not-needed' }>['because'], string>> = {
  container: t`No sandbox: it runs in a container.`,
  remote: t`No sandbox: it runs elsewhere.`,
  builtin: t`No sandbox: part of Assent.`,
}
