import { t } from '#app/words/translate.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './record.css'
import { RecordTab } from './record-tab.tsx'
import { RulesTab } from './rules-tab.tsx'

type Tab = 'rules' | 'record'

export function RecordPage({ route }: { readonly route: Extract<Route, { page: 'record' }> }) {
  const tab: Tab = route.tab === 'record' ? 'record' : 'rules'
  return (
    <Page
      title={t`Rules and record`}
      actions={
        <Segmented<Tab>
          label={t`What to show`}
          value={tab}
          onChange={(next) => navigate({ page: 'record', tab: next }, { replace: true })}
          choices={[
            { value: 'rules', label: t`Rules` },
            { value: 'record', label: t`Record` },
          ]}
        />
      }
    >
      <div className="page">
        <div className={tab === 'record' ? 'in record-in' : 'in'}>{tab === 'record' ? <RecordTab /> : <RulesTab />}</div>
      </div>
    </Page>
  )
}
