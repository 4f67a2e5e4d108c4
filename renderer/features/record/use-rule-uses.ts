// How often each rule answered, asked anew when something may have been answered, or a rule changed.
import { useEffect, useState } from 'react'
import type { RuleUse } from '#app/consent/rule.ts'
import { useConsent, useStores } from '#renderer/stores/react.tsx'
import { freshEvents, settleMs } from './use-audit.ts'

/** Undefined: not known yet. */
export function useRuleUses(): Readonly<Record<string, RuleUse>> | undefined {
  const { link } = useStores()
  const [uses, setUses] = useState<Readonly<Record<string, RuleUse>> | undefined>(undefined)
  const rules = useConsent((state) => state.rules)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of rules is a reason to ask again
  useEffect(() => {
    let current = true
    const ask = (): void => {
      link.request('rule.uses', {}).then(
        (answer) => current && setUses(answer.uses),
        () => undefined, // The connection is gone, which is said elsewhere.
      )
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    ask()
    const off = link.onEvent(({ name }) => {
      if (!freshEvents.has(name) || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        ask()
      }, settleMs)
    })
    return () => {
      current = false
      clearTimeout(timer)
      off()
    }
  }, [link, rules])
  return uses
}
