// Names of the applications whose servers can be imported. The readers of their files are apart, since no page needs them.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

export const hostId = z.enum([
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'cline',
  'zed',
  'goose',
  'lm-studio',
  'continue',
  'codex',
  /** A file that the person named, of whatever program. */
  'other',
])
export type HostId = z.infer<typeof hostId>

export const hostNames = (): Readonly<Record<HostId, string>> => ({
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  cline: 'Cline',
  zed: 'Zed',
  goose: 'Goose',
  'lm-studio': 'LM Studio',
  continue: 'Continue',
  codex: 'Codex',
  other: t`The place that you named`,
})
