import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'

/** Says once for all servers that this computer has no sandbox, where the person can change that. */
export function NoEngineNotice({ servers }: { readonly servers: readonly ServerSummary[] }) {
  const found = servers.find(({ sandbox }) => sandbox?.kind === 'missing' && sandbox.reason !== 'not-supported')?.sandbox
  if (found?.kind !== 'missing') return null
  return <WarnNotice title={t`Local servers run without a sandbox.`}>{found.remedy}</WarnNotice>
}
