// Notices about the profile as a whole, above every page until they are resolved: a config file with problems, a disk that cannot be
// written, a budget, permissions that another program changed. (The settings say, beside the keys, that keys are kept in memory only.)

import { t } from '#app/i18n/translate.ts'
import type { BudgetUsage } from '#app/models/usage.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { formatCount } from '#app/text/format-text.ts'
import { formatDollars } from '#renderer/features/usage/usage-labels.ts'
import { useRoute } from '#renderer/router.ts'
import { useNotices } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { PermissionsNotice } from './permissions-notice.tsx'
import { UpdateNotice } from './update-notice.tsx'
import './notices.css'

export function NoticeList() {
  const notices = useNotices((state) => state.notices)
  const shown = notices.filter((notice) => notice.kind !== 'secrets-in-memory')
  if (shown.length === 0) return null
  return (
    <div className="notices" role="status">
      {shown.map((notice) =>
        notice.kind === 'config' ? (
          <ConfigNotice key="config" problems={notice.problems} />
        ) : notice.kind === 'budget' ? (
          <BudgetNotice key="budget" use={notice} />
        ) : notice.kind === 'update' ? (
          <UpdateNotice key="update" update={notice.update} />
        ) : notice.kind === 'safe-start' ? (
          <Notice key="safe-start" title={t`Safe start: no servers, no apps, default settings, until Assent is quit.`} />
        ) : notice.kind === 'permissions' ? (
          <PermissionsNotice key="permissions" report={notice} />
        ) : (
          <ErrorNotice key={notice.error.code} error={notice.error} />
        ),
      )}
    </div>
  )
}

function BudgetNotice({ use: { budget, used, level } }: { readonly use: BudgetUsage }) {
  const route = useRoute()
  const isHere = route.page === 'settings' && route.tab === 'usage'
  const words = (amount: number): string => (budget.unit === 'dollars' ? formatDollars(amount) : t`${formatCount(amount)} tokens`)
  return (
    <Notice
      tone={level === 'over' ? 'warn' : 'plain'}
      title={level === 'over' ? t`The monthly budget is used up.` : t`The monthly budget is nearly used.`}
      action={isHere ? null : <SmallLink to={{ page: 'settings', tab: 'usage' }}>{t`Usage`}</SmallLink>}
    >
      {tx`${words(used)} of ${words(budget.amount)}`}
    </Notice>
  )
}

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** The first problem in full, and the number of others; the editor shows each at its line. */
function ConfigNotice({ problems }: { readonly problems: readonly ConfigProblem[] }) {
  const [first] = problems
  if (!first) return null
  const place = first.line === undefined ? fileName(first.file) : t`${fileName(first.file)}, line ${first.line}`
  const more = problems.length - 1
  return (
    <WarnNotice
      title={
        <>
          {place}: <VisibleText text={first.message} />
        </>
      }
      action={<SmallLink to={{ page: 'servers', name: '', tab: 'config' }}>{t`Open the file`}</SmallLink>}
    >
      {first.remedy} {more > 0 ? t`${more} more {problem|problems}.` : ''}
    </WarnNotice>
  )
}
